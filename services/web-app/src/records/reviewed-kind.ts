import { signal } from '@preact/signals';
import type { AppActor } from '#shared/app/app-protocol.ts';

/** The initial filter of Activity: that of the strip that led there; null: all. */
export const reviewedKind = signal<AppActor['kind'] | null>(null);
