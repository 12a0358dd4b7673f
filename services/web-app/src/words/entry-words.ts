import { plural } from './plural.ts';

export const entryWords = {
  list: 'List',
  add: 'Add',
  addTask: 'Add task',
  nextItem: 'Next item',
  addAnother: 'Add another',
  makePlain: 'Make it plain text',
  addTasks: (count: number) => plural(count, { one: 'Add # task', other: 'Add # tasks' }),
  addWithChecklist: 'Add one with a checklist',
  addWithNotes: 'Add one with notes',
  passed: (time: string) => `${time} has passed`,
  deadlineNeedsPremium: 'Deadlines are part of Premium',
};
