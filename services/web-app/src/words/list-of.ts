import { atFirstUse } from './at-first-use.ts';

const list = atFirstUse(() => new Intl.ListFormat('en-GB', { type: 'conjunction' }));

/** «a, b and c». */
export const listOf = (parts: readonly string[]) => list().format(parts);
