import { setImmediate as nextPoll } from 'node:timers/promises';
import { type AnySchema, type InferType, mixed, string } from 'yup';
import { whenToGoOn } from '#shared/rate-limit/limit-headers.ts';
import { closedObject, flag, integer, listOf, nonEmptyListOf, uuid } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { findRecordsOfCall } from '../history/change-repository.ts';
import type { WriteWrapper } from '../http/route.ts';
import type { Task } from '../tasks/task-entity.ts';
import { findTask } from '../tasks/task-repository.ts';
import {
  type BriefTask,
  briefTask,
  describeLine,
  describeTasks,
  timeFacts,
  timeFactsOf,
} from './brief-task.ts';
import { callOperation, type OperationInput } from './call-operation.ts';
import { countEntry } from './count-entries.ts';
import { describeEffect } from './describe-effect.ts';
import { describeFailure, failure } from './failure.ts';
import { hintOnReminders, hintOnReminderTime } from './reminder-hint.ts';
import { portableSchema } from './standard-schema.ts';
import type { ToolCall } from './tool.ts';

export const maximumItems = 50;

/**
 * A list of 1 to 50 entries, each with a result of its own. The schema of an entry is advertised here and
 * checked by `runBatch`, so that an invalid entry does not stop the others.
 */
export function batchOf(entry: AnySchema, description: string) {
  return nonEmptyListOf(
    mixed()
      .defined()
      .meta({ json: portableSchema(entry) }),
    maximumItems,
  )
    .defined()
    .meta({ description: `${description} At most ${maximumItems}.` });
}

export const batchOutput = closedObject({
  results: listOf(
    closedObject({
      /** Position in the input, from 0. */
      index: integer(0, maximumItems).defined(),
      ok: flag().defined(),
      id: uuid(),
      /** The task was in the wanted state already. */
      unchanged: flag(),
      /** The completed or skipped date of a repeating task. */
      occurrence: string(),
      task: briefTask.optional().default(undefined),
      error: failure.optional().default(undefined),
    }).defined(),
    maximumItems,
  ).defined(),
  done: integer(0, maximumItems).defined(),
  failed: integer(0, maximumItems).defined(),
  /** Number of entries at the end that were not started. */
  left: integer(1, maximumItems),
  retryAfterSeconds: integer(1, Number.MAX_SAFE_INTEGER),
  today: timeFacts.today.optional(),
  now: timeFacts.now.optional(),
  timezone: timeFacts.timezone.optional(),
});

type BatchContent = InferType<typeof batchOutput>;
type Result = BatchContent['results'][number];
type RanEntry = { result: Result; logs?: boolean | undefined; line(isUnchanged: boolean): string };

/** One entry of a batch as an operation of the API. */
export type BatchStep = OperationInput & {
  /** null: nothing has to be done. */
  operationId: string | null;
  /** Why nothing has to be done. */
  already?: string;
  /** Runs in the operation's transaction. */
  wrap?: WriteWrapper<{ id: string } | undefined>;
  /** The date of a repeating task that is completed or skipped. */
  occurrence?: string;
  /** The operation adds another task to the logbook, so the named task may be unchanged. */
  logs?: boolean;
  /** Replaces the batch's verb; receives the task after the operation. */
  verbFor?(task: BriefTask, row: Task): string | undefined;
};

type Batch<Entry extends AnySchema> = {
  /** Not validated yet. */
  entries: readonly unknown[];
  schema: Entry;
  toStep(entry: InferType<Entry>): Promise<BatchStep>;
  /** Such as «added». */
  verb: string;
  /** A hint for a task that was in the wanted state already. */
  whenUnchanged?(task: BriefTask): string | undefined;
};

/**
 * Validates and runs the entries one after another, each as its own request. A failed entry changes nothing
 * and does not stop the others. An entry that exceeds the token's limit is not started, nor are those after
 * it. Results have content only if the token has the scope `read`.
 */
export async function runBatch<Entry extends AnySchema>(
  call: ToolCall,
  { entries, verb, ...batch }: Batch<Entry>,
): Promise<{ text: string; content: BatchContent; isFailure: boolean }> {
  const ran: RanEntry[] = [];
  let refused: { retryAfterSeconds: number } | undefined;
  for (const [index, entry] of entries.entries()) {
    // A client that disconnected has no results and would send the rest again.
    if (call.gone.aborted) {
      const counts = { done: index, left: entries.length - index };
      const { requestId } = call;
      call.context.logger.info(
        { requestId, ...counts },
        'the rest of a batch was left undone: its client has gone',
      );
      break;
    }
    refused = index === 0 ? undefined : await countEntry(call);
    if (refused !== undefined) break;
    ran.push(await runEntry(call, index, entry, { ...batch, verb }));
    await call.reportProgress(index + 1, entries.length);
    // Invalid entries await nothing, so yield to other requests.
    await nextPoll();
  }
  const { session, principal } = call;
  const read = () => findRecordsOfCall(session, principal.callId);
  const changed = await describeEffect(call, read, undefined);
  const changedIds = changed && new Set(changed.map(({ id }) => id));
  const isUnchanged = ({ result: { ok, id = '' }, logs = false }: RanEntry): boolean =>
    ok && !logs && changedIds?.has(id) === false;
  const lines = ran.map((each) => each.line(isUnchanged(each)));
  const results = ran.map((each) => ({ ...each.result, ...(isUnchanged(each) && { unchanged: true }) }));
  const done = results.filter(({ ok }) => ok).length;
  const left = refused && leftEntries(results.length, entries.length, refused.retryAfterSeconds);
  if (left !== undefined) results.push(...left.results);
  const failed = results.length - done;
  const planned = results.flatMap(({ ok, index, task }) => {
    const { dueDate, reminderTime } = Object(entries[index]);
    return ok && (dueDate || reminderTime) ? [task ?? { reminderTime }] : [];
  });
  const hint = await describeEffect(call, () => hintOnReminders(call, planned), []);
  return {
    text: [...lines, ...(left ? [left.text] : []), ...hint].join('\n'),
    content: { results, done, failed, ...left?.counts, ...(call.canRead && timeFactsOf(call.session)) },
    isFailure: done === 0,
  };
}

function leftEntries(first: number, end: number, retryAfterSeconds: number) {
  const message = `Not begun, too many requests. ${whenToGoOn(retryAfterSeconds)}`;
  const which = end - first === 1 ? `entry ${first} was` : `entries ${first} to ${end - 1} were`;
  return {
    results: Array.from({ length: end - first }, (_, place) => ({
      index: first + place,
      ok: false,
      error: { code: 'rate_limited', message },
    })),
    counts: { left: end - first, retryAfterSeconds },
    text:
      `… ${which} not begun: each entry counts as a request. ` +
      `${whenToGoOn(retryAfterSeconds)} Then leave out those before.`,
  };
}

async function runEntry<Entry extends AnySchema>(
  call: ToolCall,
  index: number,
  entry: unknown,
  { schema, toStep, verb, whenUnchanged }: Omit<Batch<Entry>, 'entries'>,
): Promise<RanEntry> {
  try {
    const step = await toStep(validateInput(schema, entry, 'entry'));
    const { operationId, wrap, verbFor, occurrence, logs, already, ...input } = step;
    const saved =
      operationId === null
        ? undefined
        : await callOperation<{ id: string } | undefined>(call, operationId, input, wrap);
    const id = saved?.id ?? input.params?.id;
    if (id === undefined) throw new Error(`${operationId} responds without an id`);
    const described = call.canRead
      ? await describeEffect(
          call,
          () => describeEntry(call, id, entry, { verbFor, whenUnchanged }),
          undefined,
        )
      : undefined;
    const { task, name = id, said = verb, late = '' } = described ?? {};
    const although = task === undefined ? '' : describeState(task, operationId);
    const hint = already ?? described?.hint ?? 'it is so already';
    return {
      result: { index, ok: true, id, ...(task && { task, ...(occurrence && { occurrence }) }) },
      logs,
      line: (isUnchanged) =>
        isUnchanged || already !== undefined
          ? `= nothing changed, ${hint}: ${name}`
          : `✓ ${said}${although}${late}: ${name}`,
    };
  } catch (error) {
    const failed = describeFailure(call, error, schema);
    return {
      result: { index, ok: false, error: failed },
      line: () => `✗ entry ${index}: ${failed.message}`,
    };
  }
}

/** Closed and trashed tasks are in no list, so the description of the change names their state. */
function describeState({ inTrash, status }: BriefTask, operationId: string | null): string {
  if (inTrash) return operationId === 'deleteTask' ? '' : ', though it is in the Trash';
  return operationId?.startsWith('updateTask') && status !== 'open' ? `, though it is ${status}` : '';
}

/** Describes the current task; undefined if it was deleted. */
async function describeEntry(
  call: ToolCall,
  id: string,
  entry: unknown,
  { verbFor, whenUnchanged }: Pick<BatchStep, 'verbFor'> & Pick<Batch<AnySchema>, 'whenUnchanged'>,
) {
  const { session } = call;
  const row = await findTask(session, id);
  const [task] = row === undefined ? [] : await describeTasks(session, [row]);
  if (row === undefined || task === undefined) return undefined;
  return {
    task,
    name: describeLine(session, task),
    said: verbFor?.(task, row),
    late: hintOnReminderTime(session, Object(entry), task),
    hint: whenUnchanged?.(task),
  };
}
