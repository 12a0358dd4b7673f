import { signal } from '@preact/signals';
import type { AppActor } from '#shared/app/app-protocol.ts';

/** Whose changes Activity shows when it opens: those of the strip that led there; null: all. */
export const reviewedKind = signal<AppActor['kind'] | null>(null);
