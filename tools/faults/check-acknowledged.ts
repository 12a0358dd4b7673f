import type { DatabaseServer } from './stores.ts';
import { applyChange, type TaskState, type WriteRecord } from './write-history.ts';

type StoredTask = {
  id: string;
  title: string;
  status: string;
  list: string;
  inTrash: boolean;
  /** Milliseconds since 1970. */
  updatedAt: number;
};

type StoredEntry = { sequence: number; entity: string; entityId: string; changedAt: number };

/** An account's rows as they are in the database; entries in the order of their numbers. */
type StoredAccount = {
  accountId: string;
  lastSequence: number;
  tasks: readonly StoredTask[];
  entries: readonly StoredEntry[];
};

/** A sentence for each fault. */
type Findings = {
  /** Acknowledged writes that are missing, or rows in a state that no sent write explains. */
  lost: string[];
  /** A row without its feed entry, or an entry without its row. */
  halfWritten: string[];
  /** Numbers of the feed that are missing, double or not counted. */
  gaps: string[];
  /** A write that happened more than once. */
  duplicates: string[];
};

/** Compares what clients were told with what is stored. `history`: each task's writes as they were sent. */
export function checkAcknowledged(
  history: readonly WriteRecord[],
  stored: readonly StoredAccount[],
): Findings {
  const findings: Findings = { lost: [], halfWritten: [], gaps: [], duplicates: [] };
  const writesByAccount = Map.groupBy(history, ({ accountId }) => accountId);
  for (const account of stored) {
    checkFeed(account, findings);
    checkWrites(writesByAccount.get(account.accountId) ?? [], account, findings);
    writesByAccount.delete(account.accountId);
  }
  for (const [accountId, writes] of writesByAccount) {
    const count = writes.filter(({ outcome }) => outcome === 'acknowledged').length;
    if (count > 0)
      findings.lost.push(`account ${accountId}: nothing is stored of ${count} acknowledged writes`);
  }
  return findings;
}

function checkFeed({ accountId, lastSequence, tasks, entries }: StoredAccount, findings: Findings): void {
  entries.forEach(({ sequence }, index) => {
    if (sequence !== index + 1)
      findings.gaps.push(`account ${accountId}: entry ${index + 1} of the feed has the number ${sequence}`);
  });
  const newest = entries.at(-1)?.sequence ?? 0;
  if (lastSequence !== newest)
    findings.gaps.push(
      `account ${accountId}: ${lastSequence} is the last number, ${newest} the newest entry`,
    );
  const newestOf = new Map(
    entries.filter(({ entity }) => entity === 'task').map((entry) => [entry.entityId, entry.changedAt]),
  );
  for (const { id, updatedAt } of tasks) {
    const changedAt = newestOf.get(id);
    if (changedAt !== updatedAt)
      findings.halfWritten.push(
        `task ${id}: changed at ${updatedAt}, its newest feed entry is of ${changedAt}`,
      );
    newestOf.delete(id);
  }
  for (const id of newestOf.keys()) findings.halfWritten.push(`feed entry without a row: task ${id}`);
}

function checkWrites(writes: readonly WriteRecord[], account: StoredAccount, findings: Findings): void {
  const rowsByTitle = Map.groupBy(account.tasks, ({ title }) => title);
  const rowsById = new Map(account.tasks.map((task) => [task.id, task]));
  const explained = new Set<string>();
  for (const [label, ofTask] of Map.groupBy(writes, (write) => write.label)) {
    const sameTitle = rowsByTitle.get(label) ?? [];
    const taskId = ofTask.find((write) => write.taskId !== undefined)?.taskId;
    if (taskId === undefined) {
      if (sameTitle.length > 1) findings.duplicates.push(`«${label}» was created ${sameTitle.length} times`);
      for (const { id } of sameTitle) explained.add(id);
      continue;
    }
    const occurrences = occurrencesOf(taskId, ofTask, sameTitle);
    for (const { id } of occurrences) explained.add(id);
    explained.add(taskId);
    checkTask(label, ofTask, rowsById.get(taskId), occurrences.length, findings);
  }
  for (const { id, title } of account.tasks.filter((task) => !explained.has(task.id))) {
    findings.duplicates.push(`task ${id} «${title}» is not the one that was answered`);
  }
}

function occurrencesOf(
  taskId: string,
  writes: readonly WriteRecord[],
  sameTitle: readonly StoredTask[],
): StoredTask[] {
  if (!writes.some(({ change }) => change.kind === 'complete-repeating')) return [];
  return sameTitle.filter(({ id, status }) => id !== taskId && status === 'completed');
}

function checkTask(
  label: string,
  writes: readonly WriteRecord[],
  row: StoredTask | undefined,
  occurrences: number,
  findings: Findings,
): void {
  if (row === undefined) {
    findings.lost.push(`«${label}» was acknowledged and is gone`);
    return;
  }
  const { title, status, list, inTrash } = row;
  const found = describe({ title, status, list, inTrash, occurrences });
  const possible = possibleStates(label, writes);
  if (possible.some((state) => describe(state) === found)) return;
  const most = Math.max(...possible.map((state) => state.occurrences));
  if (occurrences > most)
    findings.duplicates.push(`«${label}» has ${occurrences} occurrences, ${most} were asked for`);
  else findings.lost.push(`«${label}» is ${found}, not ${possible.map(describe).join(' or ')}`);
}

/** The states a task may have: each write with an unknown outcome may or may not have happened. */
function possibleStates(label: string, writes: readonly WriteRecord[]): TaskState[] {
  const created: TaskState = {
    title: label,
    status: 'open',
    list: 'inbox',
    inTrash: false,
    occurrences: 0,
  };
  let states = new Map([[describe(created), created]]);
  for (const { change, outcome } of writes) {
    if (outcome === 'refused') continue;
    const changed = [...states.values()].map((state) => applyChange(state, change));
    const kept = outcome === 'unknown' ? [...states.values()] : [];
    states = new Map([...kept, ...changed].map((state) => [describe(state), state]));
  }
  return [...states.values()];
}

function describe({ title, status, list, inTrash, occurrences }: TaskState): string {
  return `${status} «${title}» in ${list}${inTrash ? ', trashed' : ''}, ${occurrences} occurrences`;
}

/** Everything stored for the accounts, read directly from the database. */
export async function readStoredAccounts(
  { query }: DatabaseServer,
  accountIds: readonly string[],
): Promise<StoredAccount[]> {
  return query(async (sql) => {
    const accounts: StoredAccount[] = [];
    for (const accountId of accountIds) {
      const [feed] = await sql<{ last: number }>`
      select last_sequence::float8 as last from tasks.account_feed where account_id = ${accountId}`;
      const entries = await sql<StoredEntry>`
      select sequence::float8 as sequence, entity, entity_id as "entityId",
        (extract(epoch from changed_at) * 1000)::float8 as "changedAt"
      from tasks.feed_entry where account_id = ${accountId} order by sequence`;
      const tasks = await sql<StoredTask>`
      select id, title, status, list, trashed_at is not null as "inTrash",
        (extract(epoch from updated_at) * 1000)::float8 as "updatedAt"
      from tasks.task where account_id = ${accountId}`;
      accounts.push({ accountId, lastSequence: feed?.last ?? 0, entries, tasks });
    }
    return accounts;
  });
}

/** «nothing» or how many of each. */
export function describeFindings({ lost, halfWritten, gaps, duplicates }: Findings): string {
  const counts = Object.entries({
    lost: lost.length,
    'half-written': halfWritten.length,
    gaps: gaps.length,
    duplicates: duplicates.length,
  }).filter(([, count]) => count > 0);
  return counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing';
}

/** A sentence for each kind of loss, with an example. */
export function findingMisses(findings: Findings): string[] {
  return Object.values(findings).flatMap((faults: string[]) =>
    faults.length === 0 ? [] : [`${faults.length} like this: ${faults[0]}`],
  );
}
