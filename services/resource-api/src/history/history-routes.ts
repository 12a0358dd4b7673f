import { type InferType, object } from 'yup';
import { appEntities, type UndoResponse } from '#shared/app/app-protocol.ts';
import { closedObject, enumeration, nonEmptyListOf, timestamp, uuid } from '#shared/validation/fields.ts';
import { pagingParameters } from '../http/page.ts';
import { type Route, readRoute } from '../http/route.ts';
import { readActivity } from './activity-service.ts';
import { undoCommand, undoStamps } from './undo-service.ts';

/** More than an entry of Activity can hold: the writes of a token in two minutes. */
const maximumStamps = 1_200;

const undoBody = closedObject({
  stamps: nonEmptyListOf(timestamp().defined(), maximumStamps),
  command: uuid(),
}).test('one', 'Give either stamps or a command.', ({ stamps, command }) => !stamps !== !command);

/** The filters of Activity, and `others` for the strip that tells of their changes. */
const kindsOf = {
  assistants: ['app'],
  scripts: ['token', 'operator'],
  you: ['browser'],
  others: ['app', 'token'],
} as const;

const groups = ['assistants', 'scripts', 'you', 'others'] as const satisfies (keyof typeof kindsOf)[];

const activityQuery = object({
  cursor: pagingParameters.cursor,
  entity: enumeration(appEntities),
  id: uuid(),
  actor: uuid(),
  by: enumeration(groups),
});

const tag = 'History';

const activityRoute = readRoute({
  operationId: 'getActivity',
  method: 'get',
  path: '/activity',
  tag,
  summary: 'Who changed what in the last 30 days',
  scope: 'read',
  query: activityQuery,
  success: { status: 200, description: 'A page, newest first.' },
  handler: (session, { query: { cursor, entity, id, actor, by } }, { cursors }) =>
    readActivity(session, cursors, {
      cursor,
      entity,
      id: id?.toLowerCase(),
      actorId: actor?.toLowerCase(),
      actorKinds: by && kindsOf[by],
    }),
  present: (page) => page,
});

/** It has several transactions, so it takes no idempotency key: a repeated undo changes nothing. */
const undoRoute: Route = {
  operation: {
    operationId: 'undo',
    method: 'post',
    path: '/undo',
    tag,
    summary: 'Take changes back',
    scope: 'write',
    body: undoBody,
    success: { status: 200, description: 'What went back and what stays.' },
    errors: ['not_found'],
  },
  async execute(context, principal, { body }): Promise<UndoResponse> {
    const { stamps = [], command } = body as InferType<typeof undoBody>;
    const done = await (command
      ? undoCommand(context, principal, command)
      : undoStamps(context, principal, stamps));
    const { undone, kept, keptRecords } = done;
    return { undone, kept, keptRecords: keptRecords.size, stamps: done.stamps };
  },
};

export const historyRoutes: readonly Route[] = [activityRoute, undoRoute];
