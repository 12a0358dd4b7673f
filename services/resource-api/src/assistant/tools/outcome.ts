import { string } from 'yup';
import { closedObject, uuid } from '#shared/validation/fields.ts';
import { inOneLine } from '../one-line.ts';
import type { ToolCall } from '../tool.ts';

/** A project, section or area as it was saved. */
export type Saved = { id: string; title: string };

export const outcome = closedObject({
  id: uuid().defined().meta({ description: 'What it is called by.' }),
  title: string().meta({ description: 'Its name now.' }),
});

/** A token that may not read learns the id of what it wrote, not a name it did not send. */
export function tellSaved({ canRead }: ToolCall, { id, title }: Saved, verb: string) {
  return canRead
    ? { text: `${verb} «${inOneLine(title)}» (${id}).`, content: { id, title } }
    : { text: `${verb} ${id}.`, content: { id } };
}
