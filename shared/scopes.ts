/** Independent of each other: `write` does not imply `read` (specification §5.3). */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

export function isScope(value: unknown): value is Scope {
  return scopes.some((scope) => scope === value);
}
