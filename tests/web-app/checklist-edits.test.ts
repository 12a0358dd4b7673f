import test from 'ava';
import {
  adoptIds,
  isSameList,
  joinItem,
  keepEmpty,
  moveItem,
  pasteLines,
  splitItem,
  withoutEmpty,
} from '#web-app/detail/checklist-edits.ts';
import { englishGrammar } from '#web-app/quick-add/english-grammar.ts';

const items = ['Passport', 'Form', 'Go'].map((title, index) => ({
  id: String(index),
  title,
  completed: index === 0,
}));
const titles = (list: readonly { title: string }[]) => list.map(({ title }) => title);

test('Enter splits an item, and Backspace at its start joins it again with its tick and its id', (t) => {
  const split = splitItem(items, 0, 4);
  t.deepEqual(titles(split), ['Pass', 'port', 'Form', 'Go']);
  t.deepEqual(joinItem(split, 1), items);
  t.deepEqual(joinItem(items, 0), items);
});

test('pasted lines become items around the caret', (t) => {
  const lines = (text: string) => englishGrammar.readLines(text);
  t.deepEqual(titles(pasteLines(items, 1, 2, lines('a\nb\nc'))), ['Passport', 'Foa', 'b', 'crm', 'Go']);
  t.deepEqual(titles(pasteLines(items, 1, 4, lines('!'))), ['Passport', 'Form!', 'Go']);
  t.deepEqual(pasteLines([], 0, 0, lines('☐ butter\n☑ coffee\n- [x] tea')), [
    { title: 'butter', completed: false },
    { title: 'coffee', completed: true },
    { title: 'tea', completed: true },
  ]);
});

test('an item moves by one place and stops at the ends', (t) => {
  t.deepEqual(titles(moveItem(items, 0, 1)), ['Form', 'Passport', 'Go']);
  t.is(moveItem(items, 0, -1), items);
  t.is(moveItem(items, 2, 1), items);
});

test('an empty item is not saved, and stays in its place while the list is typed in', (t) => {
  const withEmpty = splitItem(items, 0, 8);
  t.true(isSameList(withoutEmpty(withEmpty), items));
  t.deepEqual(titles(keepEmpty(withEmpty, items) ?? []), ['Passport', '', 'Form', 'Go']);
  t.is(keepEmpty(items, items), null);
});

test('a new item takes the id that the row has given it, and no other', (t) => {
  const typed = [...items, { title: 'New' }, { title: 'New' }, { title: 'Other' }];
  const row = [...items, { id: '7', title: 'New' }, { id: '8', title: 'New' }];
  t.deepEqual(
    adoptIds(typed, row).map(({ id }) => id),
    ['0', '1', '2', '7', '8', undefined],
  );
});
