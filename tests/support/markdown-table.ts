/** Cells may hold anything; a line break becomes a blank. `rule`: the line below the head, which aligns columns. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  rule: readonly string[] = columns.map(() => '---'),
): string {
  return [columns, rule, ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
