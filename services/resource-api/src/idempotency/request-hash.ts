import { createHash } from 'node:crypto';

/**
 * SHA-256 of what a checked request asks for. The order of members, blanks and the spelling of characters do not count:
 * a client that builds its request anew to repeat it may write the same JSON differently.
 */
export function hashRequest(request: object): Buffer {
  return hashText(JSON.stringify(request, sortMembers));
}

export function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
