import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const SectionEntity = defineEntity({
  name: 'Section',
  tableName: 'section',
  schema: 'tasks',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    projectId: p.uuid(),
    title: p.text(),
    /** From 0 in display order, without gaps within the project. */
    position: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Section = InferEntity<typeof SectionEntity>;
