import { object } from 'yup';
import { closedObject, enumeration, listOf, timestamp, uuid } from '#shared/validation/fields.ts';
import { pagingParameters } from '../http/page.ts';

/** More than one entry of Activity holds: what a token may write in two minutes. */
const maximumStamps = 1_200;

export const undoBody = closedObject({
  stamps: listOf(timestamp().defined(), maximumStamps)
    .min(1, '${path} must have at least one entry')
    .defined(),
});

const entities = ['task', 'project', 'section', 'area'] as const;

export const activityQuery = object({
  cursor: pagingParameters.cursor,
  entity: enumeration(entities),
  id: uuid(),
  actor: uuid(),
});
