import { type InferType, string } from 'yup';
import { closedObject, flag, integer, isUuid, listOf, title, uuid } from '#shared/validation/fields.ts';
import { countLeftOut } from '../../history/activity-repository.ts';
import { readChanges } from '../../history/activity-service.ts';
import { findStampsOfCalls } from '../../history/change-repository.ts';
import type { Attributed } from '../../history/present-change.ts';
import { openPage } from '../../http/cursor.ts';
import type { Session } from '../../session.ts';
import { getTask } from '../../tasks/task-service.ts';
import { actorFilter, describeActors, nameOfActor } from '../actors.ts';
import { localTime, timeFacts, timeFactsOf } from '../brief-task.ts';
import { describeChanges, firstOf } from '../describe-change.ts';
import { describeCount, describeNextPage, describeToday } from '../format-page.ts';
import { hintOnHistory } from '../search-hints.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { cursorOfPage, since, startOf } from './tool-fields.ts';

const maximumChanges = 100;

const oneCall = closedObject({
  /** The id that `undo` takes. */
  call: string().defined(),
  at: string().defined(),
  by: string().defined(),
  isMine: flag().defined(),
  isUndo: flag(),
  /** Number of earlier changes of the call, which are on the next page. */
  earlier: integer(1, Number.MAX_SAFE_INTEGER),
  /** Oldest first; `undo` takes one by `change`. Changes of one transaction are undone together. */
  changes: listOf(
    closedObject({
      change: string().defined(),
      sentence: string().defined(),
      /** Completely undone since. */
      isUndone: flag(),
    }).defined(),
    maximumChanges,
  ).defined(),
});

export const recentChanges = defineTool({
  name: 'recent_changes',
  title: 'Who changed what',
  description:
    'The changes of the last 30 days, newest call first: ' +
    'by whom, a sentence each, and what undo takes back. For «what did you change», or before undo.',
  scope: 'read',
  input: closedObject({
    by: title(200).meta({
      description:
        'me: this connection; person: in the web app; or an app’s or script’s name, or part of it.',
    }),
    since: since('Not before then.'),
    task: uuid().meta({ description: 'The changes of one task alone.' }),
    cursor: cursorOfPage(),
  }),
  output: closedObject({
    calls: listOf(oneCall.defined(), maximumChanges).defined(),
    nextCursor: string(),
    ...timeFacts,
  }),
  async run(call, { by, since: wanted, task, cursor }) {
    const { context, session } = call;
    const { after, seal } = openPage(
      context.cursors,
      session,
      ['assistant-changes', by, wanted, task],
      cursor,
    );
    const filter = {
      ...actorFilter(call, by),
      ...(task !== undefined && { entity: 'task' as const, id: task.toLowerCase() }),
      since: wanted === undefined ? undefined : startOf(session, wanted),
      before: after?.[0],
    };
    const { changes, last } = await readChanges(session, filter, maximumChanges);
    const described = await describeCalls(call, changes, task !== undefined);
    const isCut = last !== undefined && task === undefined;
    const calls = isCut ? await countEarlier(session, described, filter.since) : described;
    if (task !== undefined && calls.length === 0) await getTask(session, task.toLowerCase());
    const nextCursor = last === undefined ? null : seal([String(last)]);
    return {
      text: [
        `${describeToday(session)} ${describeCount(calls.length, 'call', nextCursor !== null)}`,
        ...(calls.length === 0 && by !== undefined
          ? [await describeActors(call, by, { since: wanted, task })]
          : []),
        ...calls.flatMap((each) => describeCall(session, each)),
        ...(await hintOnHistory(session, filter.since)),
        ...describeNextPage(nextCursor),
      ].join('\n'),
      content: { calls, nextCursor: nextCursor ?? undefined, ...timeFactsOf(session) },
    };
  },
});

type OneCall = InferType<typeof oneCall>;

/** `isOfTask`: each change is an entry of its own: undoing its call would undo the call's other tasks. */
async function describeCalls(
  { session, principal }: ToolCall,
  changes: readonly Attributed[],
  isOfTask: boolean,
): Promise<OneCall[]> {
  const sentences = await describeChanges(session, changes);
  const stamps = [...new Set(changes.map(({ change }) => change.stamp))];
  const leftOut = await countLeftOut(session, stamps);
  const described = changes.map((each, index) => ({ ...each, sentence: sentences[index] ?? '' }));
  const groups = Map.groupBy(described, ({ change, actor }) =>
    isOfTask ? change.stamp : (actor.callId ?? change.stamp),
  );
  return [...groups].map(([handle, [first, ...others]]) => {
    const all = first === undefined ? [] : [first, ...others].toReversed();
    const actor = first?.actor;
    return {
      call: handle,
      at: all[0]?.change.stamp ?? '',
      by: actor === undefined ? '' : nameOfActor(actor),
      isMine: actor?.id === principal.credentialId,
      isUndo: actor?.isUndo === true ? true : undefined,
      changes: [...Map.groupBy(all, ({ change }) => change.stamp)].map(([stamp, together]) => ({
        change: stamp,
        sentence: firstOf(
          together.map(({ sentence }) => sentence),
          together.length + (leftOut.get(stamp) ?? 0),
        ).join(' '),
        isUndone: together.every(({ change }) => change.isUndone) ? true : undefined,
      })),
    };
  });
}

/** Calls may continue on the next page, also several at once that ran at the same time. */
async function countEarlier(
  session: Session,
  calls: readonly OneCall[],
  since: Date | undefined,
): Promise<OneCall[]> {
  const handles = calls.map(({ call }) => call).filter(isUuid);
  const stamps = await findStampsOfCalls(session, handles);
  const asked = stamps.filter(({ stamp }) => since === undefined || Date.parse(stamp) >= since.getTime());
  return calls.map((each) => {
    const earlier = asked.filter(({ callId, stamp }) => callId === each.call && stamp < each.at).length;
    return earlier > 0 ? { ...each, earlier } : each;
  });
}

function describeCall(
  session: Session,
  { call, at, by, isMine, isUndo, earlier, changes }: OneCall,
): string[] {
  const facts = [isMine && 'this connection', isUndo && 'an undo'].filter(Boolean);
  const said = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const head = `- ${localTime(session, at)} by ${by}${said} [${call}]`;
  const isOne = changes.length === 1;
  const lines = changes.map(
    ({ change, sentence, isUndone: isBack }) =>
      `  ${sentence}${isBack ? ' (taken back since)' : ''}${isOne ? '' : ` [${change}]`}`,
  );
  const before =
    earlier === undefined ? [] : [`  … ${earlier} of its changes came before these: see the next page.`];
  return [head, ...before, ...lines];
}
