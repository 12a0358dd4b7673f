import { string } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, enumeration, listOf, uuid } from '#shared/validation/fields.ts';
import { findRecordsOfCall } from '../../history/change-repository.ts';
import type { Session } from '../../session.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { describeFailure } from '../failure.ts';
import { inOneLine, resolveProject } from '../names.ts';
import { countFound } from '../task-search.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { formatSaved, projectName, type Saved, titleOf } from './tool-fields.ts';

const maximumOthers = 49;
const oneProject = { id: uuid().defined(), title: string(), error: string() };

const closing = closedObject({
  project: projectName().defined(),
  otherProjects: listOf(projectName().defined(), maximumOthers)
    .optional()
    .meta({ description: 'Further ones that become the same.' }),
  status: enumeration(['completed', 'active', 'trashed'])
    .defined()
    .meta({ description: 'What they become.' }),
  openTasks: enumeration(['complete', 'cancel']).meta({
    description: 'With completed; cancel unless given.',
  }),
});

export const closeProjects = defineTool({
  name: 'set_project_status',
  title: 'Complete, reopen or trash projects',
  description:
    'completed closes it; its open tasks are cancelled, or completed with openTasks=complete. active reopens it, without its tasks. trashed moves it and its open tasks to the Trash; back: restore_project.',
  scope: 'write',
  hints: { isDestructive: true, isIdempotent: true },
  input: closing,
  output: closedObject({
    ...oneProject,
    others: listOf(closedObject(oneProject).defined(), maximumOthers).optional(),
  }),
  async run(call, { project, otherProjects = [], ...wanted }) {
    if (wanted.openTasks !== undefined && wanted.status !== 'completed')
      throw invalidField('openTasks', 'openTasks goes with completed alone: leave it out.');
    const isWhole = wanted.status === 'trashed';
    const resolve = (name: string) => resolveProject(call, name, { isClosedToo: true, isWhole });
    const first = await resolve(project);
    if (otherProjects.length === 0) return closeProject(call, first, wanted);
    const ids = new Set([first, ...(await Promise.all(otherProjects.map(resolve)))]);
    await countEntries(call, [...ids]);
    ids.delete(first);
    const { text, content } = await closeOneOf(call, first, wanted);
    const others: Closed[] = [];
    for (const id of ids) others.push(await closeOneOf(call, id, wanted));
    return {
      text: [text, ...others.map((other) => other.text)].join('\n'),
      content: { ...content, others: others.map((other) => other.content) },
      isFailure: [content, ...others.map((other) => other.content)].every(({ error }) => error !== undefined),
    };
  },
});

type Wanted = { status: 'completed' | 'active' | 'trashed'; openTasks?: 'complete' | 'cancel' | undefined };
type Closed = { text: string; content: { id: string; title?: string | undefined; error?: string } };

/** One that fails does not stop the others. */
async function closeOneOf(call: ToolCall, id: string, wanted: Wanted): Promise<Closed> {
  const before = await findRecordsOfCall(call.session, call.principal.callId);
  try {
    return await closeProject(call, id, wanted, new Set(before.map((record) => record.id)));
  } catch (error) {
    const { message } = describeFailure(call, error);
    const name = call.canRead ? `«${inOneLine(await titleOf(call, id))}» (${id})` : id;
    return { text: `✗ ${name}: ${message}`, content: { id, error: message } };
  }
}

async function closeProject(
  call: ToolCall,
  id: string,
  { status, openTasks }: Wanted,
  earlier: ReadonlySet<string> = new Set(),
) {
  const params = { id };
  if (status === 'trashed') {
    const title = await titleOf(call, id);
    await callOperation(call, 'deleteProject', { params });
    const tasks = () => 'went there with it';
    return formatSaved(call, { id, title }, 'Moved to the Trash:', { tasks, earlier });
  }
  if (status === 'active') {
    const reopened = await callOperation<Saved>(call, 'uncompleteProject', { params });
    const line = (session: Session) => describeReopened(session, reopened);
    return formatSaved(call, reopened, 'Reopened', { line, earlier });
  }
  const body = { completeChildTasks: openTasks === 'complete' };
  const completed = await callOperation<Saved>(call, 'completeProject', { params, body });
  const end = openTasks === 'complete' ? 'completed with it' : 'cancelled';
  const tasks = (count: number) => `${count === 1 ? 'was' : 'were'} ${end}`;
  return formatSaved(call, completed, 'Completed', { tasks, earlier });
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
