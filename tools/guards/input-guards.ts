import type { Guard } from './guard.ts';

export const inputGuards: readonly Guard[] = [];
