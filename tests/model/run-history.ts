import type { Task } from '#tests/support/api-types.ts';
import { nowOf, type Stack } from '#tests/support/stack.ts';
import { type AccountState, isActive, type Kind, newAccount, type TaskState } from './account-state.ts';
import { chooseIds } from './chosen-operations.ts';
import { type FeedRow, momentDifferences, type Write } from './compare-moments.ts';
import { inOrder, tasksInView, type ViewName, viewNames } from './expected-views.ts';
import { type ObservedAccount, observeAccount, readList } from './observed-account.ts';
import type { Answer, Operation } from './operation.ts';
import { applyOperation } from './reference-model.ts';
import { dateIn } from './repeating-series.ts';
import { requestFor, type Send, type WireResponse } from './send-operation.ts';
import { asText, expectedOf, type Said, saidOf, type Wire, type WireNames, wireName } from './wire-names.ts';

/** Where an account and the model of it differ, in words; empty when they do not. Moments are compared elsewhere. */
function accountDifferences(
  state: AccountState,
  names: WireNames,
  observed: ObservedAccount,
  today: string,
): string[] {
  const wireId = (id: string) => wireName(names, id);
  const say = (kind: Kind) => (resource: { id: string }) => expectedOf(state, names, kind, resource.id);
  const projects = Object.values(state.project).filter(({ inTrash }) => !inTrash);
  const closed = projects.filter((project) => !isActive(project));
  const all = tasksInView(state, 'all', today);

  const inArea = (areaId: string) =>
    all.filter(({ projectId }) => projectId !== null && state.project[projectId]?.areaId === areaId);
  return [
    ...viewNames.flatMap((view) => viewDifferences(state, names, observed.views[view], view, today)),
    ...listDifferences('projects', projects.map(say('project')), observed.projects.map(said('project'))),
    ...listDifferences(
      'completed projects',
      closed.map(say('project')),
      observed.completedProjects.map(said('project')),
    ),
    ...listDifferences('areas', Object.values(state.area).map(say('area')), observed.areas.map(said('area'))),
    ...projects.flatMap((project) => {
      const tasks = tasksInView(state, 'none', today).filter(({ projectId }) => projectId === project.id);
      const shown = observed.projectTasks[wireId(project.id)] ?? [];
      return rankedDifferences(
        `tasks of ${project.id}`,
        state,
        names,
        inOrder(tasks, 'inbox', wireId),
        shown,
      );
    }),
    ...Object.keys(state.area)
      .filter((id) => !inArea(id).some(({ projectId }) => projectId && state.project[projectId]?.inTrash))
      .flatMap((id) =>
        listDifferences(
          `tasks of ${id}`,
          inOrder(inArea(id), 'all', wireId).map(say('task')),
          (observed.areaTasks[wireId(id)] ?? []).map(said('task')),
        ),
      ),
  ];
}

function said<K extends Kind>(kind: K): (body: Wire[K]) => Said {
  return (body) => saidOf(kind, body);
}

function viewDifferences(
  state: AccountState,
  names: WireNames,
  shown: readonly Task[],
  view: ViewName,
  today: string,
): string[] {
  const wireId = (id: string) => wireName(names, id);
  const expected = inOrder(tasksInView(state, view, today), view, wireId);
  if (view === 'inbox' || view === 'someday') return rankedDifferences(view, state, names, expected, shown);
  const wanted = expected.map(({ id }) => expectedOf(state, names, 'task', id));
  return listDifferences(`view ${view}`, wanted, shown.map(said('task')));
}

/** A list by rank: tasks without a known rank may stand anywhere in it. */
function rankedDifferences(
  list: string,
  state: AccountState,
  names: WireNames,
  expected: readonly TaskState[],
  shown: readonly Task[],
): string[] {
  const saying = (tasks: readonly TaskState[]) => tasks.map(({ id }) => expectedOf(state, names, 'task', id));
  const unranked = new Set(expected.filter(({ rank }) => rank === null).map(({ id }) => wireName(names, id)));
  const sorted = (texts: readonly Said[]) =>
    texts.toSorted((one, other) => (asText(one) < asText(other) ? -1 : 1));
  return [
    ...listDifferences(`${list}, members`, sorted(saying(expected)), sorted(shown.map(said('task')))),
    ...listDifferences(
      `${list}, order`,
      saying(expected.filter(({ rank }) => rank !== null)),
      shown.filter(({ id }) => !unranked.has(id)).map(said('task')),
    ),
  ];
}

function listDifferences(list: string, expected: readonly Said[], shown: readonly Said[]): string[] {
  if (asText(expected) === asText(shown)) return [];
  const index = expected.findIndex((said, position) => asText(said) !== asText(shown[position]));
  const at = index === -1 ? expected.length : index;
  return [
    `${list}: ${expected.length} expected, ${shown.length} shown; at ${at} expected ${asText(expected[at])}, shown ${asText(shown[at])}`,
  ];
}

/** The service and the model went apart. Its message tells the history up to there. */
class HistoryDiffers extends Error {
  constructor(history: readonly string[], differences: readonly string[]) {
    super(`${differences.join('\n')}\nafter\n${history.join('\n')}`);
    this.name = 'HistoryDiffers';
  }
}

/** Runs a history against a new account of the service and the model; throws HistoryDiffers. */
export async function runHistory(
  stack: Stack,
  plan: 'free' | 'premium',
  wanted: readonly Operation[],
): Promise<void> {
  const client = await stack.newClient({ plan });
  const { accountId } = client.account;
  // Every answer is also compared with the document that the service serves.
  const send: Send = ({ method, path, body }) => client.request<never>(method, path, { body });
  const names = new Map<string, string>();
  const history: string[] = [];
  const writes: Write[] = [];
  let state = newAccount(plan);
  const today = () => dateIn(state.timezone, nowOf(stack));
  for (const choice of wanted) {
    const operation = chooseIds(state, choice);
    const applied = applyOperation(state, operation, today());
    const response =
      operation.do === 'change account'
        ? await changeAccount(stack, accountId, operation)
        : await send(requestFor(operation, names));
    history.push(`${asText(operation)} → ${response.status}`);
    bindCreated(names, applied.answer, response);
    await bindOccurrence(send, names, applied.changes, response);
    state = applied.state;
    const differences = answerDifferences(state, names, applied.answer, response);
    if (differences.length > 0) throw new HistoryDiffers(history, differences);
    if (applied.changes.length > 0) writes.push({ tick: state.tick, changes: applied.changes });
  }
  const observed = await observeAccount(send);
  const differences = [
    ...accountDifferences(state, names, observed, today()),
    ...momentDifferences(state, names, observed, await readFeed(stack, accountId), writes),
  ];
  if (differences.length > 0) throw new HistoryDiffers(history, differences);
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

async function readFeed({ sql }: Stack, accountId: string): Promise<FeedRow[]> {
  const rows = await sql<Omit<FeedRow, 'sequence'> & { sequence: string }>`
    select sequence, entity, entity_id as id, change,
      to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"
    from tasks.feed_entry where account_id = ${accountId} order by sequence`;
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}

function bindCreated(names: Map<string, string>, { status, shows }: Answer, { body }: WireResponse): void {
  if (status === 201 && shows) names.set(shows.id, (body as Wire['task'] | undefined)?.id ?? 'none');
}

/** A completion of a repeating task makes a second task, which a mirror finds by what has changed since. */
async function bindOccurrence(
  send: Send,
  names: Map<string, string>,
  changes: Write['changes'],
  { status, body }: WireResponse,
): Promise<void> {
  const unnamed = changes.find(
    ({ kind, id, change }) => kind === 'task' && change === 'created' && !names.has(id),
  );
  if (unnamed === undefined || status !== 200) return;
  const { updatedAt } = body as Wire['task'];
  const known = new Set(names.values());
  const changed = await readList<Wire['task']>(send, `/tasks?view=all&updatedSince=${updatedAt}`);
  const made = changed.find(({ id }) => !known.has(id));
  if (made) names.set(unnamed.id, made.id);
}

/** How an answer differs from the model's; empty when it does not. */
function answerDifferences(
  state: AccountState,
  names: WireNames,
  { status, errorCode, fault, shows }: Answer,
  response: WireResponse,
): string[] {
  const expected = `${status} ${errorCode ?? ''}`;
  const { errorCode: code, errors } = (response.body ?? {}) as { errorCode?: string; errors?: object };
  const answered = `${response.status} ${code ?? ''}`;
  if (expected !== answered) return [`expected ${expected}, answered ${answered} ${asText(response.body)}`];
  if (fault !== undefined && !(fault in (errors ?? {})))
    return [`${fault} is not named in ${asText(errors)}`];
  if (shows === undefined) return [];
  const wanted = asText(expectedOf(state, names, shows.kind, shows.id));
  const said = asText(saidOf(shows.kind, response.body as Wire['task']));
  return wanted === said ? [] : [`expected ${wanted}, answered ${said}`];
}
