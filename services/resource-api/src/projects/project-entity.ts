import { defineEntity, p } from '@mikro-orm/core';
import { type RowOf, timestamp } from '../database/entity-rows.ts';

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
    trashedAt: timestamp().nullable(),
    completedAt: timestamp().nullable(),
    cancelledAt: timestamp().nullable(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
});

export type Project = RowOf<typeof ProjectEntity>;

export const SectionEntity = defineEntity({
  name: 'Section',
  tableName: 'section',
  schema: 'tasks',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    projectId: p.uuid(),
    title: p.text(),
    /** Display order from 0, without gaps within the project. */
    position: p.integer(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
});

export type Section = RowOf<typeof SectionEntity>;

/** `sections` in display order. */
export type ProjectWithSections = { project: Project; sections: readonly Section[] };
