import { string } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, text, title, uuid } from '#shared/validation/fields.ts';
import { longestNotes, longestTitle } from '#shared/validation/text-limits.ts';
import { inOneLine } from '../names.ts';
import type { ToolCall } from '../tool.ts';

export const projectName = () =>
  title(longestTitle).meta({ description: 'A project, by its name in any case or its id.' });
export const areaName = () =>
  title(longestTitle).meta({ description: 'An area, by its name in any case or its id.' });
export const sectionName = () =>
  title(longestTitle).meta({ description: 'A section of the project, by its name in any case or its id.' });
export const newTitle = () => title(longestTitle).meta({ description: 'The name, new or changed.' });
export const taskTitle = () => title(longestTitle).meta({ description: 'What is to be done, kept as sent.' });
export const notes = () => text(longestNotes).meta({ description: 'Notes in Markdown, kept as sent.' });
export const cursorOfPage = () =>
  text(1_024).meta({ description: 'nextCursor of the answer before, to see more of the same list.' });

/**
 * Members of a merge patch that clear the fields named in `clear`; `apiNames` has the API's names where they differ.
 * Throws validation_error for a field that `given` sets.
 */
export function clearedFields(
  clear: readonly string[] | undefined,
  given: object,
  apiNames: Readonly<Record<string, string>>,
): Record<string, null> {
  const fields = (clear ?? []).map((name) => ({ name, field: apiNames[name] ?? name }));
  const both = fields.find(({ field }) => Object.hasOwn(given, field));
  if (both)
    throw invalidField('clear', `${both.name} is given a value and named in clear: do one of the two.`);
  return Object.fromEntries(fields.map(({ field }) => [field, null]));
}

/** A project, section or area as it was saved. */
export type Saved = { id: string; title: string };

export const outcome = closedObject({
  id: uuid().defined().meta({ description: 'What it is called by.' }),
  title: string().meta({ description: 'Its name now.' }),
});

/** A token without the scope `read` receives the id alone. */
export function formatSaved({ canRead }: ToolCall, { id, title }: Saved, verb: string) {
  return canRead
    ? { text: `${verb} «${inOneLine(title)}» (${id}).`, content: { id, title } }
    : { text: `${verb} ${id}.`, content: { id } };
}
