import { type InferType, string } from 'yup';
import type { ActivityChange, FieldChange } from '#shared/app/app-protocol.ts';
import {
  closedObject,
  flag,
  integer,
  listOf,
  nonEmptyListOf,
  text,
  title,
} from '#shared/validation/fields.ts';
import { readChanges } from '../../history/activity-service.ts';
import { findRecordsOfCall, findStampsOfCall } from '../../history/change-repository.ts';
import type { Attributed } from '../../history/present-change.ts';
import { laterChange } from '../../history/revert-fields.ts';
import { keptListed, type UndoneStamps, undoStamps } from '../../history/undo-service.ts';
import { describeChanges, firstOf } from '../describe-change.ts';
import { describeEffect } from '../describe-effect.ts';
import { describeFailure } from '../failure.ts';
import { inOneLine } from '../names.ts';
import { hintOnHistory } from '../search-hints.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { type Chosen, chooseChanges } from '../undo-choice.ts';
import { since, startOf } from './tool-fields.ts';

const maximumHandles = 50;

const keptChange = closedObject({
  id: string().defined(),
  title: string(),
  /** Default: all of the call. */
  field: string(),
  reason: string().defined(),
});

export const undo = defineTool({
  name: 'undo',
  title: 'Take changes back',
  description:
    'Takes back what was done: with latest=true the last thing you did, which after an undo is that undo; ' +
    'or calls or single changes from recent_changes, by whomever; or all that somebody did since a time. ' +
    'What was changed again since stays, and is listed. What was added goes to the Trash.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({
    latest: flag().meta({ description: 'What you did last, also an undo.' }),
    changes: nonEmptyListOf(text(64).defined(), maximumHandles)
      .optional()
      .default(undefined)
      .meta({ description: 'What recent_changes shows in brackets: a call, or one change of it.' }),
    by: title(200).meta({ description: 'As in recent_changes, or anyone; needs since.' }),
    since: since('Needs by.'),
  }),
  output: closedObject({
    undone: integer(0, Number.MAX_SAFE_INTEGER).defined(),
    kept: listOf(keptChange.defined(), keptListed).defined(),
    /** The id by which `undo` can undo this undo. */
    call: string(),
  }),
  async run(call, input) {
    const { session, principal, canRead } = call;
    const { undone, kept, keptCount, stamps, stopped } = await takeBack(
      call,
      await chooseChanges(call, input),
    );
    const shown = kept.map(({ id, title, field, reason }) => ({
      id,
      title: canRead ? title : undefined,
      field: field ?? undefined,
      reason,
    }));
    const handle = undone === 0 ? undefined : principal.callId;
    const sentences = canRead
      ? await describeEffect(call, () => describeNetChanges(call, stamps, undone), undefined)
      : undefined;
    const head = undone === 0 ? 'Nothing went back.' : `Taken back.${describeNet(sentences)}`;
    const further =
      undone === 0 && kept.length === 0
        ? [`It was taken back already.${canRead ? ' For what was done before: recent_changes.' : ''}`]
        : [];
    const redo = handle === undefined ? [] : [`To take this undo back: undo with changes ["${handle}"].`];
    const older =
      input.since === undefined ? [] : await hintOnHistory(session, startOf(session, input.since));
    return {
      text: [
        head,
        ...(sentences ?? []),
        ...further,
        ...shown.map(describeKept),
        ...describeRest(keptCount - shown.length),
        ...(canRead ? hintOnLater(shown) : []),
        ...stopped,
        ...older,
        ...redo,
      ].join('\n'),
      content: { undone, kept: shown, call: handle },
      isFailure: undone === 0 && kept.length > 0,
    };
  },
});

/** Clients wait for a response for a minute. */
const longestMilliseconds = 30_000;
const stampsAtOnce = 50;

/** Describes what was undone before a failure or the time limit, and the call that undoes the rest. */
async function takeBack(
  call: ToolCall,
  { stamps, goOn, isMore = false }: Chosen,
): Promise<Omit<UndoneStamps, 'keptRecords'> & { stopped: string[] }> {
  const { context, session, principal } = call;
  const all: Omit<UndoneStamps, 'keptRecords'> = { undone: 0, kept: [], keptCount: 0, stamps: [] };
  const left = stamps.toSorted().toReversed();
  const startedAt = performance.now();
  try {
    while (left.length > 0 && performance.now() - startedAt < longestMilliseconds) {
      const part = left.splice(0, stampsAtOnce);
      const { undone, kept, keptCount, stamps: own } = await undoStamps(context, principal, part);
      all.undone += undone;
      all.kept.push(...kept.slice(0, keptListed - all.kept.length));
      all.keptCount += keptCount;
      all.stamps.unshift(...own);
    }
    const isWhole = left.length === 0 && !isMore;
    const stopped = isWhole ? [] : [`Not all of it yet, the newest first. For the rest: ${goOn}.`];
    return { ...all, stopped };
  } catch (error) {
    const done = await findRecordsOfCall(session, principal.callId);
    if (done.length === 0) throw error;
    const stopped = [`Not all of it: ${describeFailure(call, error).message} For the rest: ${goOn}.`];
    const own = await findStampsOfCall(session, principal.callId);
    return { undone: done.length, kept: [], keptCount: 0, stamps: own, stopped };
  }
}

/** undefined if it could not be read. */
function describeNet(sentences: readonly string[] | undefined): string {
  if (sentences === undefined) return '';
  return sentences.length > 0 ? ' What changed:' : ' All of it is as it was before this undo.';
}

const readSentences = 1_000;

async function describeNetChanges(
  { session }: ToolCall,
  stamps: readonly string[],
  total: number,
): Promise<string[]> {
  if (stamps.length === 0) return [];
  const { changes } = await readChanges(session, { stamps }, readSentences);
  const net = netChanges(changes);
  const sentences = await describeChanges(session, net);
  return firstOf(
    sentences.map((sentence) => sentence && `- ${sentence}`),
    total - changes.length + net.length,
  );
}

/**
 * If an undo and its redo are undone together, a field changes several times. Only its net change, at the
 * newest change, is described. Notes are listed in part, so their changes are always described.
 */
function netChanges(changes: readonly Attributed[]): Attributed[] {
  const keyOf = (id: string, field: string): string => `${id} ${field}`;
  const oldest = new Map(
    changes.flatMap(({ change }) =>
      factsOf(change).map(({ field, before }) => [keyOf(change.id, field), before] as const),
    ),
  );
  const seen = new Set<string>();
  return changes.flatMap((each) => {
    const { id, fields } = each.change;
    const facts = factsOf(each.change);
    const net = facts.flatMap((fact) => {
      const key = keyOf(id, fact.field);
      if (seen.has(key)) return [];
      seen.add(key);
      const before = oldest.get(key);
      const isSame = JSON.stringify(before) === JSON.stringify(fact.after);
      return isSame && fact.field !== 'description' ? [] : [{ ...fact, before }];
    });
    if (net.length === 0 && facts.length > 0) return [];
    return { ...each, change: { ...each.change, fields: fields.length === 0 ? fields : net } };
  });
}

/** Whether a record that was created or deleted is there. A section moves by both: that is one sentence. */
function factsOf({ entity, change, fields }: ActivityChange): FieldChange[] {
  if (change === 'updated' || entity === 'section') return fields;
  return [{ field: 'id', before: change === 'deleted', after: change === 'created' }];
}

const laterReasons = new Set(Object.values(laterChange));

function hintOnLater(kept: readonly InferType<typeof keptChange>[]): string[] {
  if (!kept.some(({ reason }) => laterReasons.has(reason))) return [];
  return ['To take it back all the same: first what came after it, or both in one call (recent_changes).'];
}

const describeRest = (left: number): string[] => (left > 0 ? [`Stays, too: ${left} more.`] : []);

function describeKept({ id, title, field, reason }: InferType<typeof keptChange>): string {
  const name = title === undefined ? id : `“${inOneLine(title)}” [${id}]`;
  return `Stays: ${name}${field === undefined ? '' : `, ${field}`}: ${reason}`;
}
