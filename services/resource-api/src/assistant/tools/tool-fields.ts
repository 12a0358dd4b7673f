import { text, title } from '#shared/validation/fields.ts';

const nameLength = 1_024;

export const projectName = () =>
  title(nameLength).meta({ description: 'A project, by its name in any case or its id.' });
export const areaName = () =>
  title(nameLength).meta({ description: 'An area, by its name in any case or its id.' });
export const sectionName = () =>
  title(nameLength).meta({ description: 'A section of the project, by its name in any case or its id.' });
export const newTitle = () => title(nameLength).meta({ description: 'The name, new or changed.' });
export const taskTitle = () => title(nameLength).meta({ description: 'What is to be done, kept as sent.' });
export const notes = () => text(100_000).meta({ description: 'Notes in Markdown, kept as sent.' });
export const cursorOfPage = () =>
  text(1_024).meta({ description: 'nextCursor of the answer before, to see more of the same list.' });
