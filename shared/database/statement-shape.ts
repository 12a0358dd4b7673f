/**
 * A statement without its values: MikroORM writes them into the text, quoted as libpq does (a quote inside is doubled,
 * and so is a backslash). At most `length` characters.
 */
export function statementShape(text: string, length: number): string {
  return text
    .replaceAll(/E?'(?:[^']|'')*'/g, '?')
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, '?')
    .slice(0, length);
}
