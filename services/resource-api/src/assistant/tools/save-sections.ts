import type { InferType } from 'yup';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { closedObject, enumeration, integer } from '#shared/validation/fields.ts';
import { removeSection } from '../../projects/section-service.ts';
import { batchOf } from '../batch.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { describeEffect } from '../describe-effect.ts';
import { listSectionNames } from '../list-names.ts';
import { inOneLine, resolveProject, resolveSection } from '../names.ts';
import { countFound } from '../task-search.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import {
  formatSaved,
  newTitle,
  projectName,
  requireAlone,
  requireExisting,
  type Saved,
  savedEntries,
  saveEach,
  sectionName,
  titleOf,
  wholeEntry,
} from './tool-fields.ts';

const sectionInput = closedObject({
  section: sectionName(),
  title: newTitle(),
  position: integer(0, 10_000).meta({
    description: 'Of an existing section: its new place, from 0.',
  }),
  toProject: projectName(),
  remove: enumeration(['section']).meta({ description: 'The section is to be deleted.' }),
}).label(wholeEntry);

export const saveSections = defineTool({
  name: 'save_sections',
  title: 'Create, rename, move or delete sections of a project',
  description:
    'Without section: adds one at the end (title needed). ' +
    'With section: renames it, moves it to a position or, with its tasks, toProject, ' +
    'or, with remove=section, deletes it; its tasks stay in the project.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({ project: projectName().defined(), sections: batchOf(sectionInput, 'In order.') }),
  output: closedObject({ sections: savedEntries() }),
  async run(call, { project, sections }) {
    const projectId = await resolveProject(call, project);
    await countEntries(call, sections);
    const { results, ...described } = await saveEach(call, sectionInput, sections, (entry) =>
      saveSection(call, projectId, entry),
    );
    return { ...described, content: { sections: results } };
  },
});

async function saveSection(
  call: ToolCall,
  projectId: string,
  { section, title: name, position, toProject, remove }: InferType<typeof sectionInput>,
) {
  const body = { title: name, position };
  if (section === undefined) {
    requireExisting('section', { remove, toProject, position });
    const wanted = { params: { id: projectId }, body: { title: name } };
    const made = await callOperation<Saved>(call, 'createSection', wanted);
    return formatSaved(call, made, 'Created', {
      namesakes: (session) => listSectionNames(session, projectId),
    });
  }
  const sectionId = await resolveSection(call, section, projectId, { isWhole: remove !== undefined });
  const params = { id: projectId, sectionId };
  if (toProject !== undefined) {
    requireAlone('toProject', { ...body, remove });
    return moveSection(call, params, await resolveProject(call, toProject));
  }
  if (remove === undefined) {
    const changed = await callOperation<Saved>(call, 'updateSection', { params, body });
    return formatSaved(call, changed, 'Changed', { isChange: true });
  }
  requireAlone('remove', body);
  const title = await titleOf(call, sectionId);
  await callOperation(call, 'deleteSection', { params });
  return formatSaved(call, { id: sectionId, title }, 'Deleted section', {
    tasks: (count) => `${count === 1 ? 'stays' : 'stay'} in the project`,
  });
}

/** The section is created anew in the other project, so its id changes. */
async function moveSection(call: ToolCall, from: { id: string; sectionId: string }, to: string) {
  if (to === from.id)
    throw invalidField('toProject', 'The section is in that project already: position moves it within.');
  const title = await titleOf(call, from.sectionId);
  if (title === '') throw notFound();
  const wanted = { params: { id: to }, body: { title } };
  const made = await callOperation<Saved>(call, 'createSection', wanted, async (session, create) => {
    const section = await create();
    await removeSection(session, from.id, from.sectionId, { id: section.id, projectId: to });
    return section;
  });
  const where = call.canRead ? await describeEffect(call, () => describeMove(call, made.id, to), '') : '';
  return formatSaved(call, made, `Moved${where}:`);
}

async function describeMove(call: ToolCall, sectionId: string, to: string): Promise<string> {
  const count = await countFound(call.session, { sectionId });
  return ` to «${inOneLine(await titleOf(call, to))}» with ${count} ${count === 1 ? 'task' : 'tasks'}`;
}
