import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const projectStatuses = ['active', 'completed', 'cancelled'] as const;
export type ProjectStatus = (typeof projectStatuses)[number];

export const ProjectEntity = defineEntity({
  name: 'Project',
  tableName: 'project',
  schema: 'tasks',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    areaId: p.uuid().nullable(),
    title: p.text(),
    description: p.text().nullable(),
    descriptionHtml: p.text(),
    rendererVersion: p.integer(),
    status: p.text().$type<ProjectStatus>(),
    deadlineDate: p.date().nullable(),
    rank: p.bigint('number'),
    trashedAt: p.datetime(3).nullable(),
    completedAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Project = InferEntity<typeof ProjectEntity>;
