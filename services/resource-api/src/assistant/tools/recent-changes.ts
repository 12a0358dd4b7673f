import { type InferType, string } from 'yup';
import type { ActivityChange } from '#shared/app/app-protocol.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { closedObject, enumeration, flag, listOf, timestamp } from '#shared/validation/fields.ts';
import { readChanges } from '../../history/activity-service.ts';
import type { Actor } from '../../history/actor.ts';
import type { Attributed } from '../../history/present-change.ts';
import { timeFacts, timeFactsOf, withoutAbsent } from '../brief-task.ts';
import { describeChange } from '../describe-change.ts';
import { describeCount, describeNextPage, describeToday, nextPage } from '../format-page.ts';
import { inOneLine } from '../names.ts';
import { findPlaceNames } from '../place-names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { cursorOfPage } from './tool-fields.ts';

const maximumChanges = 100;

const oneCall = closedObject({
  call: string().defined().meta({ description: 'What undo calls it by.' }),
  at: string().defined().meta({ description: 'When it was, UTC.' }),
  by: string().defined().meta({ description: 'Who did it.' }),
  isMine: flag().defined().meta({ description: 'This connection did it.' }),
  isUndo: flag().meta({ description: 'It took earlier changes back.' }),
  changes: listOf(
    closedObject({
      change: string().defined().meta({ description: 'Undo takes this alone back by it.' }),
      sentence: string().defined().meta({ description: 'What was done.' }),
    }).defined(),
    maximumChanges,
  )
    .defined()
    .meta({ description: 'In the order in which they were made.' }),
});

export const recentChanges = defineTool({
  name: 'recent_changes',
  title: 'Who changed what',
  description:
    'The changes of the last 30 days, newest call first: who made them, a sentence each, and what undo takes back. For «what did you change», «who moved this» or before undo.',
  scope: 'read',
  hints: { isIdempotent: true },
  input: closedObject({
    by: enumeration(['me', 'anyone']).meta({
      description: 'me: what this connection did. anyone unless given.',
    }),
    since: timestamp().meta({ description: 'RFC 3339 with an offset; the last 30 days unless given.' }),
    cursor: cursorOfPage(),
  }),
  output: closedObject({
    calls: listOf(oneCall.defined(), maximumChanges)
      .defined()
      .meta({ description: 'What was done together, newest first.' }),
    nextCursor: string().meta({ description: nextPage }),
    ...timeFacts,
  }),
  async run(call, { by, since, cursor }) {
    const { context, session } = call;
    const scope = [session.account.id, 'assistant-changes', by, since];
    const filter = {
      actorId: by === 'me' ? call.principal.credentialId : undefined,
      since: since === undefined ? undefined : parseInstant(since),
      before: cursor === undefined ? undefined : context.cursors.open(scope, cursor).key[0],
    };
    const { changes, last } = await readChanges(session, filter, maximumChanges);
    const calls = await describeCalls(call, changes);
    const { today } = session;
    const nextCursor =
      last === undefined ? null : context.cursors.seal(scope, { today, key: [String(last)] });
    return {
      text: [
        `${describeToday(session)} ${describeCount(calls.length, 'call', nextCursor !== null)}`,
        ...calls.flatMap(describeCall),
        ...describeNextPage(nextCursor),
      ].join('\n'),
      content: withoutAbsent({ calls, nextCursor: nextCursor ?? undefined, ...timeFactsOf(session) }),
    };
  },
});

type OneCall = InferType<typeof oneCall>;

async function describeCalls(call: ToolCall, changes: readonly Attributed[]): Promise<OneCall[]> {
  const { session, principal } = call;
  const fields = changes.flatMap(({ change }) => change.fields);
  const names = await findPlaceNames(
    session,
    fields.filter(({ field }) => field.endsWith('Id')).flatMap(({ before, after }) => [before, after]),
  );
  const describe = (change: ActivityChange) => ({
    change: change.stamp,
    sentence: describeChange(change, { today: session.today, names }),
  });
  const groups = Map.groupBy(changes, ({ change, actor }) => actor.callId ?? change.stamp);
  return [...groups].map(([handle, [first, ...others]]) => {
    const all = first === undefined ? [] : [first, ...others].toReversed();
    const actor = first?.actor;
    return withoutAbsent({
      call: handle,
      at: all[0]?.change.stamp ?? '',
      by: actor === undefined ? '' : nameOf(actor),
      isMine: actor?.id === principal.credentialId,
      isUndo: actor?.isUndo === true ? true : undefined,
      changes: all.map(({ change }) => describe(change)),
    });
  });
}

function nameOf({ kind, name }: Actor): string {
  if (kind === 'browser') return 'the person, in the web app';
  return kind === 'operator' ? 'the operator of the service' : inOneLine(name);
}

function describeCall({ call, at, by, isMine, isUndo, changes }: OneCall): string[] {
  const facts = [isMine && 'this connection', isUndo && 'an undo'].filter(Boolean);
  const head = `- ${at} by ${by}${facts.length === 0 ? '' : ` (${facts.join(', ')})`} [${call}]`;
  const isOne = changes.length === 1;
  return [head, ...changes.map(({ change, sentence }) => `  ${sentence}${isOne ? '' : ` [${change}]`}`)];
}
