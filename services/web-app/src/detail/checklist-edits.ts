import type { Line } from '../quick-add/piece.ts';
import type { ChecklistInput } from '../store/task-drafts.ts';

export type Items = readonly ChecklistInput[];

/** Has an id from the start, so that every save of the list refers to the same item. */
export const newItem = (title: string, completed = false): ChecklistInput => ({
  id: crypto.randomUUID(),
  title,
  completed,
});

export function splitItem(items: Items, index: number, caret: number): Items {
  const item = items[index] ?? newItem('');
  // An empty line above: what moves down stays that item, with its tick.
  if (caret === 0) return items.toSpliced(index, 0, newItem(''));
  return items.toSpliced(
    index,
    1,
    { ...item, title: item.title.slice(0, caret) },
    newItem(item.title.slice(caret)),
  );
}

/** Inserts pasted lines: the first into the item, the others as items below it. */
export function pasteLines(items: Items, index: number, caret: number, lines: readonly Line[]): Items {
  const { completed, ...item } = items[index] ?? newItem('');
  const [first, ...others] = lines;
  const title = item.title.slice(0, caret) + (first?.text ?? '');
  const rest = others.map(({ text, isTicked }) => newItem(text, isTicked));
  const after = item.title.slice(caret);
  const last = rest.at(-1);
  if (last === undefined) return items.toSpliced(index, 1, { ...item, completed, title: title + after });
  const head = { ...item, title, completed: item.title === '' ? first?.isTicked : completed };
  return items.toSpliced(index, 1, head, ...rest.slice(0, -1), { ...last, title: last.title + after });
}

export function joinItem(items: Items, index: number): Items {
  const [above, item] = [items[index - 1], items[index]];
  if (above === undefined || item === undefined) return items.length === 1 ? [] : items;
  const kept = isEmpty(above) ? item : above;
  return items.toSpliced(index - 1, 2, { ...kept, title: above.title + item.title });
}

export function moveItem(items: Items, index: number, step: -1 | 1): Items {
  const item = items[index];
  const isInside = items[index + step] !== undefined;
  return item === undefined || !isInside ? items : items.toSpliced(index, 1).toSpliced(index + step, 0, item);
}

export function changeItem(items: Items, index: number, change: Partial<ChecklistInput>): Items {
  return items.map((item, at) => (at === index ? { ...item, ...change } : item));
}

/** Keeps empty items, which are not saved, behind those they follow while the list is being edited. */
export function keepEmpty(draft: Items, saved: Items): Items | null {
  if (!draft.some(isEmpty)) return null;
  return draft.reduce((items, item, index) => {
    // Its text was saved, or others gave it another.
    if (!isEmpty(item) || saved.some(({ id }) => id === item.id)) return items;
    const before = draft[index - 1]?.id;
    return items.toSpliced(items.findIndex(({ id }) => id === before) + 1 || index, 0, item);
  }, saved);
}

export function withoutEmpty(items: Items): Items {
  return items.filter((item) => !isEmpty(item));
}

export function isSameList(left: Items, right: Items): boolean {
  const text = (items: Items) =>
    JSON.stringify(items.map(({ title, completed = false }) => [title, completed]));
  return text(left) === text(right);
}

function isEmpty({ title }: ChecklistInput): boolean {
  return title.trim() === '';
}
