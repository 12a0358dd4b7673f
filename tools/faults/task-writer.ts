import { randomUUID } from 'node:crypto';
import type { ClientAnswer, ClientRequest } from './keep-alive-client.ts';
import type { TaskChange, WriteOutcome, WriteRecord } from './write-history.ts';

/** Sends below the API's root; undefined when the load is over. */
export type Send = (request: ClientRequest) => Promise<ClientAnswer | undefined>;

type WriterOptions = {
  send: Send;
  nextToken(): string;
  accountId: string;
  /** Beginning of its tasks' titles. */
  name: string;
  record(write: WriteRecord): void;
};

type WriteAnswer = { outcome: WriteOutcome; taskId: string | undefined };

const maximumAttempts = 50;

/**
 * Creates, patches, moves, completes and trashes tasks of its own, one write after the other. Every second
 * POST has an `Idempotency-Key` and is sent again, under the same key, until its outcome is known.
 */
export async function runWriter(options: WriterOptions): Promise<void> {
  let series: WrittenTask = { label: '', taskId: undefined };
  for (let turn = 1; ; turn += 1) {
    const isKeyed = turn % 2 === 0;
    if (series.taskId === undefined) {
      const made = await createTask(options, `${options.name} series ${turn}`, true, {
        list: 'someday',
        recurrence: { frequency: 'daily', interval: 1 },
      });
      if (made === undefined) return;
      series = made;
    }
    const label = `${options.name} task ${turn}`;
    const task = await createTask(options, label, isKeyed, { list: 'inbox' });
    if (task === undefined) return;
    const ending = { kind: turn % 3 === 0 ? 'trash' : 'complete' } as const;
    for (const [target, change] of [
      [task, { kind: 'patch', title: `${label} renamed` }],
      [task, { kind: 'move', list: 'someday' }],
      [series, { kind: 'complete-repeating' }],
      [task, ending],
    ] as const) {
      if (!(await changeTask(options, target, change, isKeyed))) return;
    }
  }
}

/** `taskId` is undefined when no answer has told it. */
type WrittenTask = { label: string; taskId: string | undefined };

/** Undefined when the load is over. */
async function createTask(
  options: WriterOptions,
  label: string,
  isKeyed: boolean,
  members: { list: 'inbox' | 'someday'; recurrence?: object },
): Promise<WrittenTask | undefined> {
  const body = { title: label, ...members };
  const answer = await deliver(options, { method: 'POST', path: '/tasks', body }, isKeyed);
  if (answer === undefined) return undefined;
  const { outcome, taskId } = answer;
  const change = { kind: 'create', list: members.list } as const;
  options.record({ accountId: options.accountId, label, taskId, change, isKeyed, outcome });
  return { label, taskId };
}

/** False when the load is over. */
async function changeTask(
  options: WriterOptions,
  { label, taskId }: WrittenTask,
  change: TaskChange,
  wantsKey: boolean,
): Promise<boolean> {
  if (taskId === undefined) return true;
  const request = requestFor(taskId, change);
  const isKeyed = wantsKey && request.method === 'POST';
  const answer = await deliver(options, request, isKeyed);
  if (answer === undefined) return false;
  const { outcome } = answer;
  options.record({ accountId: options.accountId, label, taskId, change, isKeyed, outcome });
  return true;
}

/** Undefined when the load was over before anything was sent. */
async function deliver(
  { send, nextToken }: WriterOptions,
  request: ClientRequest,
  isKeyed: boolean,
): Promise<WriteAnswer | undefined> {
  const headers: Record<string, string> = isKeyed ? { 'idempotency-key': randomUUID() } : {};
  // A key counts for the token it came with.
  const token = nextToken();
  let last: WriteAnswer | undefined;
  for (let attempt = 0; attempt < (isKeyed ? maximumAttempts : 1); attempt += 1) {
    // Each attempt counts for the token's limit.
    if (attempt > 0) nextToken();
    const answer = await send({ ...request, token, headers });
    if (answer === undefined) return last;
    last = { outcome: outcomeOf(answer.outcome), taskId: taskIdIn(answer) };
    if (last.outcome !== 'unknown') return last;
  }
  return last;
}

function requestFor(taskId: string, change: TaskChange): ClientRequest {
  const path = `/tasks/${taskId}`;
  switch (change.kind) {
    case 'patch':
      return { method: 'PATCH', path, body: { title: change.title } };
    case 'move':
      return { method: 'POST', path: `${path}/move`, body: { list: change.list } };
    case 'trash':
      return { method: 'DELETE', path };
    default:
      return { method: 'POST', path: `${path}/complete` };
  }
}

/** A 429 is unknown too: an earlier attempt may have succeeded. */
function outcomeOf(outcome: number | string): WriteOutcome {
  if (typeof outcome === 'string' || outcome >= 500 || outcome === 429) return 'unknown';
  return outcome < 300 ? 'acknowledged' : 'refused';
}

function taskIdIn({ outcome, body }: ClientAnswer): string | undefined {
  if (outcome !== 201) return undefined;
  const task: unknown = JSON.parse(body);
  return task instanceof Object && 'id' in task ? String(task.id) : undefined;
}
