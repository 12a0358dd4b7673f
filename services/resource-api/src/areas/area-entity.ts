import { defineEntity, p } from '@mikro-orm/core';
import { type RowOf, timestamp } from '../database/entity-rows.ts';

export const AreaEntity = defineEntity({
  name: 'Area',
  tableName: 'area',
  schema: 'tasks',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    title: p.text(),
    rank: p.bigint('number'),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
});

export type Area = RowOf<typeof AreaEntity>;
