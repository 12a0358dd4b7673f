/**
 * A statement without the values in its text, quoted as libpq does (a quote inside is doubled, and so is a backslash):
 * ours travel beside it, but what MikroORM runs for migrations holds some. At most `length` characters.
 */
export function statementShape(text: string, length: number): string {
  return text
    .replaceAll(/E?'(?:[^']|'')*'/g, '?')
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, '?')
    .slice(0, length);
}
