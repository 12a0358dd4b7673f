import { plural } from './plural.ts';

/** What can be done with selected tasks, and with one by a swipe. */
export const selectionWords = {
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  label: 'Selected tasks',
  move: 'Move',
  reopen: 'Open again',
  trash: 'Trash',
  more: 'More',
  end: 'End the selection',
  copied: (count: number) => plural(count, { one: 'Copied the title', other: 'Copied # titles' }),
};
