import { plural } from './plural.ts';

export const quickAddWords = {
  label: 'Add a task',
  placeholder: 'Buy milk tomorrow at 18:00',
  deadlinePlaceholder: 'Report tue 9:00, deadline fri',
  title: 'Task, with its date, time and project',
  notes: 'Notes',
  checklist: 'Checklist',
  add: 'Add',
  addTask: 'Add task',
  addAnother: 'Add another',
  makePlain: 'Make it plain text',
  addTasks: (count: number) => plural(count, { one: 'Add # task', other: 'Add # tasks' }),
  addWithChecklist: 'Add one with a checklist',
  addWithNotes: 'Add one with notes',
  projects: 'Projects',
  section: 'Section',
  newProject: (name: string) => `New project “${name}”`,
  someday: 'Someday',
  passed: (time: string) => `${time} has passed`,
  deadlineNeedsPremium: 'Deadlines are part of Premium',
  tooManyLines: (count: number, limit: number) =>
    `These are ${count.toLocaleString('en')} lines. At most ${limit} tasks can be added at once.`,
  tooManyItems: (limit: number) => `A checklist has at most ${limit} items.`,
  titleTooLong: (limit: number) => `A title has at most ${limit.toLocaleString('en')} characters.`,
  notesTooLong: (limit: number) => `Notes have at most ${limit.toLocaleString('en')} characters.`,
};
