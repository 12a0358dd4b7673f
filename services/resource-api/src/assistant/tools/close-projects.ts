import type { InferType } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, enumeration, nonEmptyListOf } from '#shared/validation/fields.ts';
import type { Session } from '../../session.ts';
import { maximumItems } from '../batch.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { describeEffect } from '../describe-effect.ts';
import { NameError } from '../match-names.ts';
import { inOneLine, resolveProject, resolveTrashedProject } from '../names.ts';
import { findPlaceNames } from '../place-names.ts';
import { hintOnProject } from '../search-hints.ts';
import { countFound } from '../task-search.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { formatSaved, projectName, runOnEach, type Saved, savedEntries } from './tool-fields.ts';

const closing = closedObject({
  projects: nonEmptyListOf(projectName().defined(), maximumItems)
    .defined()
    .meta({ description: 'Names or ids.' }),
  status: enumeration(['completed', 'active', 'trashed', 'restored'])
    .defined()
    .meta({ description: 'What they become.' }),
  openTasks: enumeration(['complete', 'cancel']).meta({
    description: 'With completed; cancel unless given.',
  }),
});

export const closeProjects = defineTool({
  name: 'set_project_status',
  title: 'Complete, reopen, trash or restore projects',
  description:
    'completed closes them; their open tasks are cancelled, or completed with openTasks=complete. ' +
    'active reopens them, without their tasks. ' +
    'trashed moves them and their open tasks to the Trash; restored brings them back with those.',
  scope: 'write',
  hints: { isDestructive: true, isIdempotent: true },
  input: closing,
  output: closedObject({ projects: savedEntries() }),
  async run(call, { projects, ...wanted }) {
    if (wanted.openTasks !== undefined && wanted.status !== 'completed')
      throw invalidField('openTasks', 'openTasks goes with completed alone: leave it out.');
    const found = await Promise.all(
      projects.map((name, index) => findProject(call, name, index, wanted.status)),
    );
    // Two names may resolve to the same project.
    const once = [...new Map(found.map((project) => [project.id, project])).values()];
    await countEntries(call, once);
    const ids = once.filter(({ error }) => error === undefined).map(({ id }) => id);
    const titles = await findPlaceNames(call.session, ids);
    const named = once.map((each) => ({ ...each, title: titles.get(each.id) ?? '' }));
    const nameOf = ({ id, title }: Saved) =>
      call.canRead && title !== '' ? `«${inOneLine(title)}» (${id})` : id;
    const run = ({ error, ...each }: (typeof named)[number]) => {
      if (error === undefined) return closeProject(call, each, wanted);
      throw error instanceof NameError ? error.without(ids) : error;
    };
    const { results, ...described } = await runOnEach(call, named, nameOf, run);
    return { ...described, content: { projects: results } };
  },
});

type Status = InferType<typeof closing>['status'];

/** `error`: why the name was not resolved; `id` is then its position in the input. */
type Found = { id: string; error?: unknown };

async function findProject(call: ToolCall, name: string, index: number, status: Status): Promise<Found> {
  try {
    if (status === 'restored') return { id: await resolveTrashedProject(call, name) };
    return { id: await resolveProject(call, name, { isClosedToo: true, isWhole: status === 'trashed' }) };
  } catch (error) {
    return { id: `entry ${index}`, error };
  }
}

async function closeProject(
  call: ToolCall,
  project: Saved,
  { status, openTasks }: Omit<InferType<typeof closing>, 'projects'>,
) {
  const params = { id: project.id };
  if (status === 'trashed') {
    await callOperation(call, 'deleteProject', { params });
    return formatSaved(call, project, 'Moved to the Trash:', { tasks: () => 'went there with it' });
  }
  if (status === 'active') {
    await callOperation(call, 'uncompleteProject', { params });
    const line = (session: Session) => describeReopened(session, project);
    return formatSaved(call, project, 'Reopened', { line });
  }
  if (status === 'restored') return restoreProject(call, project);
  const isDone = openTasks === 'complete';
  await callOperation(call, 'completeProject', { params, body: { completeChildTasks: isDone } });
  const end = isDone ? 'completed with it' : 'cancelled';
  const tasks = (count: number) => `${count === 1 ? 'was' : 'were'} ${end}`;
  return formatSaved(call, project, 'Completed', { tasks });
}

async function restoreProject(call: ToolCall, project: Saved) {
  await callOperation(call, 'restoreProject', { params: { id: project.id } });
  const described = await formatSaved(call, project, 'Restored', { tasks: () => 'came back with it' });
  const count = () => countFound(call.session, { view: 'trash', projectId: project.id });
  const left = call.canRead ? await describeEffect(call, count, 0) : 0;
  const closed = () => hintOnProject(call, { projectId: project.id });
  const further = [
    ...(call.canRead ? await describeEffect(call, closed, []) : []),
    ...(left === 0
      ? []
      : [`${left} of its tasks went to the Trash at another time: for these restore_tasks.`]),
  ];
  return { ...described, text: [described.text, ...further].join(' ') };
}

/** Reopening a project leaves its tasks closed; the response says so. */
async function describeReopened(session: Session, { id, title }: Saved): Promise<string> {
  const counts = (['completed', 'cancelled'] as const).map(async (status) => {
    const count = await countFound(session, { projectId: id, status });
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const closed = (await Promise.all(counts)).flat().join(', ');
  return `«${inOneLine(title)}» (${id})${closed && `. Its tasks stay as they are: ${closed}`}`;
}
