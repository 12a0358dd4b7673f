import { string } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  integer,
  listOf,
  title,
  uuid,
} from '#shared/validation/fields.ts';
import { withoutAbsent } from '../brief-task.ts';
import { callOperation } from '../call-operation.ts';
import { clearedFields } from '../cleared-fields.ts';
import { resolveArea, resolveProject, resolveSection } from '../place.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { areaName, notes, projectName, sectionName } from './tool-fields.ts';

type Kept = { id: string; title: string };

const outcome = closedObject({
  id: uuid().defined().meta({ description: 'What it is called by.' }),
  title: string().meta({ description: 'Its name now.' }),
});

const newTitle = () => title(1_024).meta({ description: 'The name, new or changed.' });

export const saveProject = defineTool({
  name: 'save_project',
  title: 'Create or change a project',
  description:
    'Without project: creates one (title needed), with its sections if given. With project: changes what is given. Empty a field by naming it in clear.',
  scope: 'write',
  hints: {},
  input: closedObject({
    project: projectName(),
    title: newTitle(),
    notes: notes(),
    area: areaName(),
    deadlineDate: calendarDate().meta({ description: 'The day it must be done by, YYYY-MM-DD (Premium).' }),
    clear: listOf(enumeration(['notes', 'area', 'deadlineDate']).defined(), 3)
      .optional()
      .meta({ description: 'What to empty, of an existing project.' }),
    newSections: listOf(title(1_024).defined(), 50)
      .optional()
      .meta({ description: 'Names of sections to add at the end, in order.' }),
  }),
  output: outcome,
  async run(call, { project, title: name, notes: description, area, deadlineDate, clear, newSections }) {
    const inApiWords = { notes: 'description', area: 'areaId', deadlineDate: 'deadlineDate' } as const;
    const given = withoutAbsent({
      title: name,
      description,
      deadlineDate,
      areaId: area === undefined ? undefined : await resolveArea(call, area),
    });
    const body = { ...given, ...clearedFields(clear, given, inApiWords) };
    const saved = project === undefined ? await create(call, body) : await change(call, project, body);
    for (const section of newSections ?? []) {
      await callOperation(call, 'createSection', { params: { id: saved.id }, body: { title: section } });
    }
    return answer(call, saved, project === undefined ? 'Created' : 'Changed');
  },
});

function create(call: ToolCall, body: object): Promise<Kept> {
  return callOperation(call, 'createProject', { body });
}

async function change(call: ToolCall, project: string, body: object): Promise<Kept> {
  const id = await resolveProject(call, project);
  return callOperation(call, 'updateProject', { params: { id }, body });
}

export const closeProject = defineTool({
  name: 'set_project_status',
  title: 'Complete, reopen or trash a project',
  description:
    'completed closes the project; its open tasks are cancelled, or completed with openTasks=complete. active reopens it, without its tasks. trashed moves it and its open tasks to the Trash, from where only the app brings it back: ask first.',
  scope: 'write',
  hints: { isDestructive: true, isIdempotent: true },
  input: closedObject({
    project: projectName().defined(),
    status: enumeration(['completed', 'active', 'trashed'])
      .defined()
      .meta({ description: 'What the project becomes.' }),
    openTasks: enumeration(['complete', 'cancel']).meta({
      description: 'With completed; cancel unless given.',
    }),
  }),
  output: outcome,
  async run(call, { project, status, openTasks }) {
    const id = await resolveProject(call, project);
    const params = { id };
    if (status === 'trashed') {
      await callOperation(call, 'deleteProject', { params });
      return { text: `Moved project ${id} to the Trash.`, content: { id } };
    }
    const saved =
      status === 'active'
        ? await callOperation<Kept>(call, 'uncompleteProject', { params })
        : await callOperation<Kept>(call, 'completeProject', {
            params,
            body: { completeChildTasks: openTasks === 'complete' },
          });
    return answer(call, saved, status === 'active' ? 'Reopened' : 'Completed');
  },
});

export const saveSection = defineTool({
  name: 'save_section',
  title: 'Create, rename, move or delete a section',
  description:
    'Without section: adds one to the project (title needed). With section: renames it, moves it to a position, or, with remove=section, deletes it for good; its tasks stay in the project.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    project: projectName().defined(),
    section: sectionName(),
    title: newTitle(),
    position: integer(0, 10_000).meta({ description: 'Its new place among the sections, from 0.' }),
    remove: enumeration(['section']).meta({ description: 'Says that the section is to be deleted.' }),
  }),
  output: outcome,
  async run(call, { project, section, title: name, position, remove }) {
    const id = await resolveProject(call, project);
    const body = withoutAbsent({ title: name, position });
    if (section === undefined) {
      if (remove !== undefined) throw invalidField('section', 'Name the section that is to be deleted.');
      return answer(
        call,
        await callOperation<Kept>(call, 'createSection', { params: { id }, body }),
        'Created',
      );
    }
    const sectionId = await resolveSection(call, section, id);
    const params = { id, sectionId };
    if (remove === undefined) {
      return answer(call, await callOperation<Kept>(call, 'updateSection', { params, body }), 'Changed');
    }
    await callOperation(call, 'deleteSection', { params });
    return { text: `Deleted section ${sectionId}.`, content: { id: sectionId } };
  },
});

export const saveArea = defineTool({
  name: 'save_area',
  title: 'Create, rename or delete an area',
  description:
    'Without area: creates one. With area: renames it, or, with remove=area, deletes it for good; its projects stay, ungrouped.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    area: areaName(),
    title: newTitle(),
    remove: enumeration(['area']).meta({ description: 'Says that the area is to be deleted.' }),
  }),
  output: outcome,
  async run(call, { area, title: name, remove }) {
    const body = withoutAbsent({ title: name });
    if (area === undefined) {
      if (remove !== undefined) throw invalidField('area', 'Name the area that is to be deleted.');
      return answer(call, await callOperation<Kept>(call, 'createArea', { body }), 'Created');
    }
    const id = await resolveArea(call, area);
    if (remove === undefined) {
      return answer(call, await callOperation<Kept>(call, 'updateArea', { params: { id }, body }), 'Changed');
    }
    await callOperation(call, 'deleteArea', { params: { id } });
    return { text: `Deleted area ${id}.`, content: { id } };
  },
});

/** A token that may not read learns the id of what it wrote, not a name it did not send. */
function answer({ canRead }: ToolCall, { id, title: name }: Kept, verb: string) {
  return canRead
    ? { text: `${verb} «${name}» (${id}).`, content: { id, title: name } }
    : { text: `${verb} ${id}.`, content: { id } };
}
