import type { Guard } from './guard.ts';

export const storeGuards: readonly Guard[] = [];
