/** Lengths count Unicode code points. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      length--;
      index++;
    }
  }
  return length;
}

/** A code point has at most two UTF-16 units: a far longer text is refused without counting. */
export function isWithinLength(text: string, maximum: number): boolean {
  return text.length <= maximum || (text.length <= 2 * maximum && codePointLength(text) <= maximum);
}

/** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export function isBlank(text: string): boolean {
  return /^\p{White_Space}*$/u.test(text);
}

/**
 * Matches every text that is not blank. The code points of White_Space are listed, since many JSON Schema
 * validators do not support Unicode properties.
 */
export const notBlankPattern =
  '[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
