export const quickAddWords = {
  label: 'Add a task',
  placeholder: 'Buy milk tomorrow at 18:00',
  deadlinePlaceholder: 'Report tue 9:00, deadline fri',
  title: 'Task, with its date, time and project',
  titleAndItems: 'Task, with its checklist items on the next lines',
  notes: 'Notes',
  checklist: 'Checklist',
  projects: 'Projects',
  newProject: (name: string) => `New project “${name}”`,
  tooManyLines: (count: number, limit: number) =>
    `These are ${count.toLocaleString('en')} lines. At most ${limit} tasks can be added at once.`,
  tooManyItems: (limit: number) => `A checklist has at most ${limit} items.`,
  titleTooLong: (limit: number) => `A title has at most ${limit.toLocaleString('en')} characters.`,
  notesTooLong: (limit: number) => `Notes have at most ${limit.toLocaleString('en')} characters.`,
};
