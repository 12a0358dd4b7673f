import { listOf } from './list-of.ts';
import { plural } from './plural.ts';

export const emptyTodayWords = {
  done: 'All done for today.',
  doneDetail: (done: number, tomorrow: number) =>
    `${plural(done, { one: '# task done.', other: '# tasks done.' })} Tomorrow has ${tomorrow}.`,
  nothingPlanned: 'Nothing planned.',
  hint: 'Press N, or plan something from Anytime.',
  hintPhone: 'Tap +, or plan something from Anytime.',
};

export const firstRunWords = {
  lead: 'Write down whatever comes to mind. Sort it later, or let an assistant do it.',
  add: 'Add a task, such as',
  placeholder: 'Buy milk tomorrow at 18:00',
  hint:
    'Claude, ChatGPT and others can add, plan and tidy your tasks. ' +
    'You see everything they change here, and can undo it.',
  openSettings: ['Open the assistant’s settings and add a ', 'connector or MCP server', '.'],
  pasteAddress: 'Paste the address. You are sent back here to allow it.',
  say: ['Say: ', '“What should I do today?”', ''],
  connected: (names: readonly string[]) => `${listOf(names)} ${names.length === 1 ? 'is' : 'are'} connected`,
  stepByStep: 'Step by step',
  withScript: 'With a script instead',
  hide: 'Hide this',
};
