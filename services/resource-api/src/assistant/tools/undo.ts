import { type InferType, string } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { closedObject, flag, integer, isUuid, listOf, text } from '#shared/validation/fields.ts';
import { readChanges } from '../../history/activity-service.ts';
import { findStamps, findStampsOfCall, findStampsOfLatest } from '../../history/change-repository.ts';
import { undoStoreOf } from '../../history/history-routes.ts';
import { undoStamps } from '../../history/undo-service.ts';
import { withoutAbsent } from '../brief-task.ts';
import { countEntries } from '../count-entries.ts';
import { describeChanges } from '../describe-change.ts';
import { inOneLine } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';

const maximumHandles = 50;
const maximumKept = 500;

const keptChange = closedObject({
  id: string().defined(),
  title: string(),
  /** All of it unless given. */
  field: string(),
  reason: string().defined(),
});

export const undo = defineTool({
  name: 'undo',
  title: 'Take changes back',
  description:
    'Takes back what was done: with latest=true the last thing you did, else calls or single changes from recent_changes, by whomever. What was changed again since stays, and is listed. What was added goes to the Trash. An undo can be taken back, too.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    latest: flag().meta({ description: 'What you did last.' }),
    changes: listOf(text(64).defined(), maximumHandles)
      .min(1, '${path} must have at least one entry')
      .optional()
      .default(undefined)
      .meta({ description: 'call or change of recent_changes.' }),
  }),
  output: closedObject({
    undone: integer(0, Number.MAX_SAFE_INTEGER).defined(),
    kept: listOf(keptChange.defined(), maximumKept).defined(),
    /** What undo calls this undo by. */
    call: string(),
  }),
  async run(call, input) {
    const { context, principal, canRead } = call;
    const stamps = await stampsOf(call, input);
    const { undone, kept, stamps: own } = await undoStamps(undoStoreOf(context), principal, stamps);
    const shown = kept.map(({ id, title, field, reason }) =>
      withoutAbsent({ id, title: canRead ? title : undefined, field: field ?? undefined, reason }),
    );
    const handle = own.length === 0 ? undefined : principal.callId;
    const sentences = canRead && own.length > 0 ? await describeStamps(call, own) : [];
    const head = undone === 0 ? 'Nothing went back.' : 'Taken back. What changed:';
    const further =
      undone === 0 && kept.length === 0
        ? ['It was taken back already. For what was done before: recent_changes.']
        : [];
    const redo = handle === undefined ? [] : [`To take this undo back: undo with changes ["${handle}"].`];
    return {
      text: [head, ...sentences, ...further, ...shown.map(describeKept), ...redo].join('\n'),
      content: withoutAbsent({ undone, kept: shown, call: handle }),
      isFailure: undone === 0 && kept.length > 0,
    };
  },
});

/** As many as tell a person what it was about. */
const shownSentences = 20;
const readSentences = 300;

async function describeStamps({ session }: ToolCall, stamps: readonly string[]): Promise<string[]> {
  const { changes, last } = await readChanges(session, { stamps }, readSentences);
  const sentences = (await describeChanges(session, changes)).map((sentence) => `- ${sentence}`);
  const left = sentences.length - shownSentences;
  const count = last === undefined ? left : 'many';
  return [...sentences.slice(0, shownSentences), ...(left > 0 ? [`… and ${count} more.`] : [])];
}

function describeKept({ id, title, field, reason }: InferType<typeof keptChange>): string {
  const name = title === undefined ? id : `“${inOneLine(title)}” [${id}]`;
  return `Stays: ${name}${field === undefined ? '' : `, ${field}`}: ${reason}`;
}

type Input = { latest?: boolean | undefined; changes?: readonly string[] | undefined };

async function stampsOf(call: ToolCall, { latest, changes }: Input): Promise<string[]> {
  const { session, principal } = call;
  const { db, account } = session;
  if ((latest === true) === (changes !== undefined))
    throw invalidField('changes', 'Give either latest=true or changes from recent_changes.');
  if (changes === undefined) {
    const stamps = await findStampsOfLatest(db, account.id, principal.credentialId);
    if (stamps.length > 0) return stamps;
    throw invalidField('latest', 'This connection has changed nothing in the last 30 days.');
  }
  await countEntries(call, changes);
  const found = await Promise.all(changes.map((handle) => findHandle(session, handle)));
  return found.flat();
}

async function findHandle({ db, account }: ToolCall['session'], handle: string): Promise<string[]> {
  const stamps = isUuid(handle)
    ? await findStampsOfCall(db, account.id, handle.toLowerCase())
    : await findStamps(db, account.id, parseInstant(handle) === undefined ? [] : [handle]);
  if (stamps.length > 0) return stamps;
  throw invalidField(
    'changes',
    `There is no change «${inOneLine(handle)}» in the last 30 days: look it up with recent_changes.`,
  );
}
