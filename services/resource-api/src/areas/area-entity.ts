import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const AreaEntity = defineEntity({
  name: 'Area',
  tableName: 'area',
  schema: 'tasks',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    title: p.text(),
    rank: p.bigint('number'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Area = InferEntity<typeof AreaEntity>;
