import { type InferType, string } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, enumeration, listOf, uuid } from '#shared/validation/fields.ts';
import type { Session } from '../../session.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { describeFailure } from '../failure.ts';
import { inOneLine, resolveProject } from '../names.ts';
import { findPlaceNames } from '../place-names.ts';
import { countFound } from '../task-search.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { formatSaved, projectName, type Saved } from './tool-fields.ts';

const maximumProjects = 50;

const closing = closedObject({
  projects: listOf(projectName().defined(), maximumProjects)
    .min(1, '${path} must have at least one entry')
    .defined()
    .meta({ description: 'Names or ids.' }),
  status: enumeration(['completed', 'active', 'trashed'])
    .defined()
    .meta({ description: 'What they become.' }),
  openTasks: enumeration(['complete', 'cancel']).meta({
    description: 'With completed; cancel unless given.',
  }),
});

const closedProject = closedObject({ id: uuid().defined(), title: string(), error: string() });

export const closeProjects = defineTool({
  name: 'set_project_status',
  title: 'Complete, reopen or trash projects',
  description:
    'completed closes them; their open tasks are cancelled, or completed with openTasks=complete. active reopens them, without their tasks. trashed moves them and their open tasks to the Trash; back: restore_project.',
  scope: 'write',
  hints: { isDestructive: true, isIdempotent: true },
  input: closing,
  output: closedObject({ projects: listOf(closedProject.defined(), maximumProjects).defined() }),
  async run(call, { projects, ...wanted }) {
    if (wanted.openTasks !== undefined && wanted.status !== 'completed')
      throw invalidField('openTasks', 'openTasks goes with completed alone: leave it out.');
    const isWhole = wanted.status === 'trashed';
    const found = projects.map((name) => resolveProject(call, name, { isClosedToo: true, isWhole }));
    const ids = [...new Set(await Promise.all(found))];
    await countEntries(call, ids);
    const names = await findPlaceNames(call.session, ids);
    const seen = new Set<string>();
    const closed: Closed[] = [];
    for (const id of ids)
      closed.push(await closeProject(call, { id, title: names.get(id) ?? '' }, wanted, seen));
    return {
      text: closed.map(({ text }) => text).join('\n'),
      content: { projects: closed.map(({ content }) => content) },
      isFailure: closed.every(({ content }) => content.error !== undefined),
    };
  },
});

type Wanted = Omit<InferType<typeof closing>, 'projects'>;
type Closed = { text: string; content: InferType<typeof closedProject> };

/** One that fails does not stop the others. */
async function closeProject(
  call: ToolCall,
  project: Saved,
  { status, openTasks }: Wanted,
  seen: Set<string>,
): Promise<Closed> {
  const { id, title } = project;
  const params = { id };
  try {
    if (status === 'trashed') {
      await callOperation(call, 'deleteProject', { params });
      const tasks = () => 'went there with it';
      return await formatSaved(call, project, 'Moved to the Trash:', { tasks, seen });
    }
    if (status === 'active') {
      await callOperation(call, 'uncompleteProject', { params });
      const line = (session: Session) => describeReopened(session, project);
      return await formatSaved(call, project, 'Reopened', { line, seen });
    }
    const isDone = openTasks === 'complete';
    await callOperation(call, 'completeProject', { params, body: { completeChildTasks: isDone } });
    const end = isDone ? 'completed with it' : 'cancelled';
    const tasks = (count: number) => `${count === 1 ? 'was' : 'were'} ${end}`;
    return await formatSaved(call, project, 'Completed', { tasks, seen });
  } catch (error) {
    const { message } = describeFailure(call, error);
    const name = call.canRead && title !== '' ? `«${inOneLine(title)}» (${id})` : id;
    return { text: `✗ ${name}: ${message}`, content: { id, error: message } };
  }
}

const maximumCount = 10_000;

/** «The project is not finished after all» is not yet so of its tasks. */
async function describeReopened(session: Session, { id, title }: Saved): Promise<string> {
  const counts = (['completed', 'cancelled'] as const).map(async (status) => {
    const count = await countFound(session, { projectId: id, status }, maximumCount);
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const closed = (await Promise.all(counts)).flat().join(', ');
  return `«${inOneLine(title)}» (${id})${closed && `. Its tasks stay as they are: ${closed}`}`;
}
