import { nowOf, type Stack } from '#tests/support/stack.ts';
import { inViewOrder, isInView, views } from '../api/tasks/view-model.ts';
import { type AccountState, type Kind, newAccount, type TaskState } from './account-state.ts';
import { chooseOperation } from './histories.ts';
import type { Answer, Operation } from './operation.ts';
import { applyOperation, type Change } from './reference-model.ts';
import {
  newWire,
  readList,
  requestFor,
  type Send,
  shownOf,
  type Wire,
  type WireResponse,
  wireText,
} from './wire.ts';

/** A later operation may undo what an earlier one did wrong. */
const operationsPerComparison = 30;

/** Runs a history against a new account of the service and the model; throws where they differ. */
export async function runHistory(stack: Stack, steps: readonly Operation[][]): Promise<void> {
  const client = await stack.newClient({ plan: 'premium' });
  const { accountId } = client.account;
  // Every response is also compared with the document that the service serves.
  const send: Send = ({ method, path, body }) => client.request<never>(method, path, { body });
  const wire = newWire();
  const history: string[] = [];
  let state = newAccount();
  let sequence = 0;
  const today = () => dateIn(state.timezone, nowOf(stack));
  const requireNone = (differences: string[]) => {
    if (differences.length > 0) throw new Error([...differences, 'after', ...history].join('\n'));
  };
  for (const [index, step] of steps.entries()) {
    const operation = chooseOperation(state, step, today());
    const { state: after, answer, changes } = applyOperation(state, operation, today());
    const response =
      operation.do === 'change account'
        ? await changeAccount(stack, accountId, operation)
        : await send(requestFor(operation, wire));
    history.push(`${JSON.stringify(operation)} → ${response.status}`);
    // What a refused request wrote, the next one finds.
    const entries = response.status < 400 ? await readFeed(stack, accountId, sequence) : [];
    const feed = feedDifferences(wire, after.tick, changes, entries, sequence);
    requireNone([...answerDifferences(after, wire, answer, response), ...feed]);
    state = after;
    sequence += entries.length;
    const isCompared = (index + 1) % operationsPerComparison === 0 || index === steps.length - 1;
    if (isCompared) requireNone(await listDifferences(send, state, wire, today()));
  }
}

/** The civil date in a time zone, by the names that Intl prints. */
function dateIn(timezone: string, instant: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(instant);
}

async function changeAccount(
  stack: Stack,
  accountId: string,
  { plan = null, timezone = null }: { plan?: string | null; timezone?: string | null },
): Promise<WireResponse> {
  await stack.sql`update auth.account set plan = coalesce(${plan}, plan),
    timezone = coalesce(${timezone}, timezone) where id = ${accountId}`;
  await stack.announceChange(accountId);
  return { status: 200, body: undefined };
}

function answerDifferences(
  state: AccountState,
  wire: Wire,
  { status, errorCode, fault, shows }: Answer,
  { status: shownStatus, body }: WireResponse,
): string[] {
  const { errorCode: code, errors = {} } = (body ?? {}) as { errorCode?: string; errors?: object };
  const isAnswered = status === shownStatus && errorCode === code && (!fault || fault in errors);
  if (isAnswered && !shows) return [];
  const expected = shows ? wireText(wire, shownOf(state, shows.kind, shows.id)) : `${errorCode} ${fault}`;
  const answered = wireText(wire, body);
  return isAnswered && expected === answered
    ? []
    : [`expected ${status} ${expected}, answered ${shownStatus} ${answered}`];
}

type FeedEntry = { sequence: number; entity: string; id: string; change: string; changedAt: string };

async function readFeed({ sql }: Stack, accountId: string, after: number): Promise<FeedEntry[]> {
  return sql<FeedEntry>`
    select sequence::int, entity, entity_id as id, change,
      to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"
    from tasks.feed_entry where account_id = ${accountId} and sequence > ${after} order by sequence`;
}

/**
 * Notes the ids of what a write has made, and its timestamp. The feed must tell of each of its changes once,
 * without gaps, all at one time that is later than that of any earlier write.
 */
function feedDifferences(
  { ids, timestamps }: Wire,
  tick: number,
  changes: readonly Change[],
  entries: readonly FeedEntry[],
  sequence: number,
): string[] {
  for (const { kind, id, change } of changes) {
    const made = entries.find((entry) => entry.entity === kind && entry.change === 'created');
    if (change === 'created' && made) ids.set(id, made.id);
  }
  const expected = changes.map(({ kind, id, change }) => `${kind} ${ids.get(id)} ${change}`).sort();
  const told = entries.map(({ entity, id, change }) => `${entity} ${id} ${change}`).sort();
  if (expected.join() !== told.join()) return [`the feed tells ${told}, not ${expected}`];
  const [first] = entries;
  if (first === undefined) return [];
  const earlier = timestamps.get(tick - 1) ?? '';
  timestamps.set(tick, first.changedAt);
  const isOneWrite = entries.every(
    (entry, index) => entry.sequence === sequence + index + 1 && entry.changedAt === first.changedAt,
  );
  return isOneWrite && first.changedAt > earlier
    ? []
    : [`not one write, later than ${earlier}: ${JSON.stringify(entries)}`];
}

/** A list of the interface, with the resources that it has to show, in order. */
type ExpectedList = { path: string; kind: Kind; resources: readonly { id: string }[] };

/** How the lists of an account differ from the model's, in words; empty when they do not. */
async function listDifferences(
  send: Send,
  state: AccountState,
  wire: Wire,
  today: string,
): Promise<string[]> {
  const differences: string[] = [];
  for (const { path, kind, resources } of expectedLists(state, wire, today)) {
    const expected = resources.map(({ id }) => wireText(wire, shownOf(state, kind, id)));
    const shown = (await readList(send, path)).map((resource) => wireText(wire, resource));
    const at = Math.max(expected.length, shown.length);
    const index = Array.from({ length: at }).findIndex(
      (_, position) => expected[position] !== shown[position],
    );
    if (index !== -1)
      differences.push(`${path}: at ${index} expected ${expected[index]}, shown ${shown[index]}`);
  }
  return differences;
}

function expectedLists(state: AccountState, { ids }: Wire, today: string): ExpectedList[] {
  const tasks = Object.values(state.task);
  const inOrder = (found: readonly TaskState[], view: (typeof views)[number]) =>
    inViewOrder(found, view, (task) => ({
      ...task,
      id: ids.get(task.id) ?? '',
      closedAt: task.completedAt ?? task.cancelledAt,
    }));
  const inView = (view: (typeof views)[number]) =>
    tasks.filter((task) => isInView({ ...task, inTrash: task.trashedAt !== null }, view, today));
  const projects = Object.values(state.project).filter(({ inTrash }) => !inTrash);
  const areas = Object.values(state.area);
  const ofProject = (id: string) => inView(undefined).filter(({ projectId }) => projectId === id);
  const ofArea = (id: string) => {
    const grouped = projects.filter(({ areaId }) => areaId === id).map((project) => project.id);
    return tasks.filter(({ projectId }) => projectId !== null && grouped.includes(projectId));
  };
  const closed = projects.filter(({ status }) => status === 'completed');
  const list = (kind: Kind, path: string, resources: readonly { id: string }[]) => ({
    kind,
    path,
    resources,
  });
  return [
    ...views.map((view) =>
      list('task', view ? `/tasks?view=${view}` : '/tasks?', inOrder(inView(view), view)),
    ),
    list('project', '/projects?', projects),
    list('project', '/projects?status=completed', closed),
    list('area', '/areas?', areas),
    ...projects.map(({ id }) =>
      list('task', `/projects/${ids.get(id)}/tasks?`, inOrder(ofProject(id), 'inbox')),
    ),
    ...areas.map(({ id }) =>
      list('task', `/tasks?view=all&areaId=${ids.get(id)}`, inOrder(ofArea(id), 'all')),
    ),
  ];
}
