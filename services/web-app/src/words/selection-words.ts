import { plural } from './plural.ts';

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
