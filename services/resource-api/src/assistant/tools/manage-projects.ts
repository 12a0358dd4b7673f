import type { InferType } from 'yup';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  integer,
  listOf,
  title,
} from '#shared/validation/fields.ts';
import { longestTitle } from '#shared/validation/text-limits.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { FurtherWork } from '../../http/route.ts';
import { createSection, removeSection } from '../../projects/section-service.ts';
import type { Session } from '../../session.ts';
import { tellOf } from '../after-effect.ts';
import { batchOf } from '../batch.ts';
import { describeProject, describeProjectLine, readProject } from '../brief-project.ts';
import { withoutAbsent } from '../brief-task.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { listAreaNames, listProjectNames, listSectionNames } from '../list-names.ts';
import { inOneLine, resolveArea, resolveProject, resolveSection, resolveTrashedProject } from '../names.ts';
import { countFound } from '../task-search.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import {
  areaName,
  clearedFields,
  formatSaved,
  newTitle,
  notes,
  outcome,
  projectName,
  projectsOutput,
  runOnProjects,
  type Saved,
  sectionName,
  titleOf,
  wholeEntry,
} from './tool-fields.ts';

export const restoreOneProject = defineTool({
  name: 'restore_project',
  title: 'Restore a project from the Trash',
  description: 'Takes a project out of the Trash with the tasks that went there with it.',
  scope: 'write',
  hints: { isIdempotent: true },
  input: closedObject({ project: projectName().defined() }),
  output: outcome,
  async run(call, { project }) {
    const id = await resolveTrashedProject(call, project);
    const restored = await callOperation<Saved>(call, 'restoreProject', { params: { id } });
    const told = await formatSaved(call, restored, 'Restored', { tasks: () => 'came back with it' });
    const count = () => countFound(call.session, { view: 'trash', projectId: id });
    const left = call.canRead ? await tellOf(call, count, 0) : 0;
    const went = `${left} of its tasks went to the Trash at another time: for these restore_tasks.`;
    return { ...told, text: left === 0 ? told.text : `${told.text} ${went}` };
  },
});

export const saveSection = defineTool({
  name: 'save_section',
  title: 'Create, rename, move or delete a section',
  description:
    'Without section: adds one to the project (title needed). With section: renames it, moves it to a position or, with its tasks, toProject, or, with remove=section, deletes it; its tasks stay in the project.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    project: projectName().defined(),
    section: sectionName(),
    title: newTitle(),
    position: integer(0, 10_000).meta({
      description: 'Of an existing section: its new place, from 0.',
    }),
    toProject: projectName(),
    remove: enumeration(['section']).meta({ description: 'The section is to be deleted.' }),
  }),
  output: outcome,
  async run(call, { project, section, title: name, position, toProject, remove }) {
    const id = await resolveProject(call, project);
    const body = withoutAbsent({ title: name, position });
    if (section === undefined) {
      if (remove !== undefined) throw invalidField('section', 'Name the section that is to be deleted.');
      if (toProject !== undefined) throw invalidField('section', 'Name the section that goes toProject.');
      if (position !== undefined)
        throw invalidField('position', 'A new section goes last: create it, then move it.');
      const made = await callOperation<Saved>(call, 'createSection', { params: { id }, body });
      return formatSaved(call, made, 'Created', { namesakes: (session) => listSectionNames(session, id) });
    }
    const sectionId = await resolveSection(call, section, id, { isWhole: remove !== undefined });
    const params = { id, sectionId };
    if (toProject !== undefined) {
      requireAlone('toProject', withoutAbsent({ ...body, remove }));
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
  },
});

export const saveArea = defineTool({
  name: 'save_area',
  title: 'Create, rename or delete an area',
  description:
    'Without area: creates one. With area: renames it, or, with remove=area, deletes it; its projects stay, ungrouped.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    area: areaName(),
    title: newTitle(),
    remove: enumeration(['area']).meta({ description: 'The area is to be deleted.' }),
  }),
  output: outcome,
  async run(call, { area, title: name, remove }) {
    const body = withoutAbsent({ title: name });
    if (area === undefined) {
      if (remove !== undefined) throw invalidField('area', 'Name the area that is to be deleted.');
      const made = await callOperation<Saved>(call, 'createArea', { body });
      return formatSaved(call, made, 'Created', { namesakes: listAreaNames });
    }
    const id = await resolveArea(call, area, { isWhole: remove !== undefined });
    if (remove === undefined) {
      const changed = await callOperation<Saved>(call, 'updateArea', { params: { id }, body });
      return formatSaved(call, changed, 'Changed', { isChange: true });
    }
    requireAlone('remove', body);
    const title = await titleOf(call, id);
    await callOperation(call, 'deleteArea', { params: { id } });
    return formatSaved(call, { id, title }, 'Deleted area', {
      projects: (count) => `${count === 1 ? 'is' : 'are'} in no area now`,
    });
  },
});

/** The section is created anew in the other project, so its id changes. */
async function moveSection(call: ToolCall, from: { id: string; sectionId: string }, to: string) {
  if (to === from.id)
    throw invalidField('toProject', 'The section is in that project already: position moves it within.');
  const title = await titleOf(call, from.sectionId);
  if (title === '') throw notFound();
  const further: FurtherWork<Saved> = (session, { id }) =>
    removeSection(session, from.id, from.sectionId, { id, projectId: to });
  const made = await callOperation<Saved>(
    call,
    'createSection',
    { params: { id: to }, body: { title } },
    further,
  );
  const where = call.canRead ? await tellOf(call, () => describeMove(call, made.id, to), '') : '';
  return formatSaved(call, made, `Moved${where}:`);
}

async function describeMove(call: ToolCall, sectionId: string, to: string): Promise<string> {
  const count = await countFound(call.session, { sectionId });
  return ` to «${inOneLine(await titleOf(call, to))}» with ${count} ${count === 1 ? 'task' : 'tasks'}`;
}

/** Deleting, or moving, and changing in one call contradict each other. */
function requireAlone(field: string, changes: object): void {
  const names = Object.keys(changes).join(' and ');
  if (names !== '') throw invalidField(field, `${field} stands alone: leave out ${names}.`);
}

const newSectionsAtMost = 50;

const projectInput = closedObject({
  project: projectName(),
  title: newTitle(),
  notes: notes(),
  area: areaName(),
  deadlineDate: calendarDate().meta({ description: 'The day it must be done by, YYYY-MM-DD (Premium).' }),
  clear: listOf(enumeration(['notes', 'area', 'deadlineDate']).defined(), 3)
    .optional()
    .meta({ description: 'What to empty, of an existing project.' }),
  newSections: listOf(title(longestTitle).defined(), newSectionsAtMost)
    .optional()
    .meta({ description: 'Names of sections to add at the end, in order.' }),
}).label(wholeEntry);

type ProjectInput = InferType<typeof projectInput>;

export const saveProjects = defineTool({
  name: 'save_projects',
  title: 'Create or change projects',
  description:
    'Without project: creates one (title needed), with its sections if given. With project: changes what is given; notes replace those before, which get_project shows. Each is done whole or not at all.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    projects: batchOf(projectInput, 'Those to create or change.'),
  }),
  output: projectsOutput,
  async run(call, { projects }) {
    await countEntries(
      call,
      projects.flatMap((entry) => [entry, Object(entry).newSections ?? []].flat()),
    );
    const nameOf = (_entry: unknown, index: number) => `entry ${index}`;
    const run = (entry: unknown, seen: Set<string>) =>
      saveProject(call, validateInput(projectInput, entry, 'entry'), seen);
    return runOnProjects(call, projects, nameOf, run, projectInput);
  },
});

async function saveProject(
  call: ToolCall,
  { project, newSections = [], ...fields }: ProjectInput,
  seen: Set<string>,
) {
  const id = project === undefined ? undefined : await resolveProject(call, project);
  const body = await bodyOf(call, fields);
  const further = addSections(newSections);
  const namesakes = async (session: Session) =>
    (await listProjectNames(session)).filter(({ state }) => state === null);
  if (id === undefined) {
    const made = await callOperation<Saved>(call, 'createProject', { body }, further);
    const line = (session: Session) => describeSaved(session, made.id);
    return formatSaved(call, made, 'Created', { namesakes, line, seen });
  }
  const changed = await callOperation<Saved>(call, 'updateProject', { params: { id }, body }, further);
  const facts = { isChange: true, seen, ...(fields.title !== undefined && { namesakes }) };
  return formatSaved(call, changed, 'Changed', facts);
}

/** Describes the project as list_projects does, since a partial area name was resolved. */
async function describeSaved(session: Session, id: string): Promise<string> {
  const row = await readProject(session, id, newSectionsAtMost);
  return describeProjectLine(session, { ...describeProject(row, newSectionsAtMost), lastChange: undefined });
}

type Fields = Omit<ProjectInput, 'project' | 'newSections'>;

async function bodyOf(call: ToolCall, { notes: description, area, clear, ...rest }: Fields): Promise<object> {
  const areaId = area === undefined ? undefined : await resolveArea(call, area);
  const given = withoutAbsent({ ...rest, description, areaId });
  return { ...given, ...clearedFields(clear, given, { notes: 'description', area: 'areaId' }) };
}

/** Runs in the project's transaction: after a failure a client repeats the whole call. */
function addSections(names: readonly string[]): FurtherWork<Saved> {
  return async (session, { id }) => {
    for (const title of names) await createSection(session, id, { title });
  };
}
