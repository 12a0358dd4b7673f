const itemStart = /^(?<indent>[ \t]*)(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<mark>[.)]))(?<space>[ \t]+)/u;
const boxStart = /^\[[ xX]\][ \t]+/u;

/** The edit of Enter in a list: `insert` replaces the text from `from` to the caret. null: outside a list. */
export function nextListItem(text: string, caret: number): { from: number; insert: string } | null {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1;
  const before = text.slice(lineStart, caret);
  const found = itemStart.exec(before);
  if (found === null) return null;
  const { indent = '', bullet, number, mark = '', space = '' } = found.groups ?? {};
  const [box = ''] = boxStart.exec(before.slice(found[0].length)) ?? [];
  const [rest = ''] = text.slice(caret).split('\n', 1);
  if (before === found[0] + box && rest.trim() === '') return { from: lineStart, insert: '' };
  const sign = bullet ?? `${Number(number) + 1}${mark}`;
  return { from: caret, insert: `\n${indent}${sign}${space}${box === '' ? '' : '[ ] '}` };
}
