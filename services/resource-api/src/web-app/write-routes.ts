import type { AppArea, AppProject, AppTask } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { notFound } from '#shared/errors/errors.ts';
import type { Area } from '../areas/area-entity.ts';
import { type Route, writeRoute } from '../http/route.ts';
import { restoreProject } from '../projects/project-service.ts';
import type { WriteSession } from '../session.ts';
import { listPositionBody, taskPositionBody } from './app-schema.ts';
import { areaColumns, listedProjectColumns, listedTaskColumns } from './listed-rows.ts';
import { placeArea, placeProject, placeTask } from './position-service.ts';
import {
  type ListedProject,
  type ListedTask,
  presentAppArea,
  presentListedProject,
  presentListedTask,
} from './present-rows.ts';

const tag = 'Web app';

export const appWriteRoutes: readonly Route[] = [
  writeRoute({
    operationId: 'placeTask',
    method: 'post',
    path: '/tasks/{id}/position',
    tag,
    summary: 'Place a task among those of its list or its day',
    scope: 'write',
    body: taskPositionBody,
    success: { status: 200, description: 'An AppTask.' },
    async handler(session, { params: { id }, body }): Promise<AppTask> {
      await placeTask(session, id, body);
      return presentListedTask(await readRow<ListedTask>(session, 'task', listedTaskColumns, id));
    },
    present: (task) => task,
  }),
  writeRoute({
    operationId: 'placeProject',
    method: 'post',
    path: '/projects/{id}/position',
    tag,
    summary: 'Place a project among those of its area',
    scope: 'write',
    body: listPositionBody,
    success: { status: 200, description: 'An AppProject.' },
    async handler(session, { params: { id }, body }): Promise<AppProject> {
      await placeProject(session, id, body.after);
      return readProject(session, id);
    },
    present: (project) => project,
  }),
  writeRoute({
    operationId: 'placeArea',
    method: 'post',
    path: '/areas/{id}/position',
    tag,
    summary: 'Place an area',
    scope: 'write',
    body: listPositionBody,
    success: { status: 200, description: 'An AppArea.' },
    async handler(session, { params: { id }, body }): Promise<AppArea> {
      await placeArea(session, id, body.after);
      return presentAppArea(await readRow<Area>(session, 'area', areaColumns, id));
    },
    present: (area) => area,
  }),
  writeRoute({
    operationId: 'restoreProject',
    method: 'post',
    path: '/projects/{id}/restore',
    tag,
    summary: 'Take a project out of the Trash with its tasks',
    scope: 'write',
    success: { status: 200, description: 'An AppProject.' },
    async handler(session, { params: { id } }): Promise<AppProject> {
      await restoreProject(session, id);
      return readProject(session, id);
    },
    present: (project) => project,
  }),
];

async function readProject(session: WriteSession, id: string): Promise<AppProject> {
  return presentListedProject(await readRow<ListedProject>(session, 'project', listedProjectColumns, id));
}

async function readRow<Row extends object>(
  { db, account }: { db: Queryable; account: { id: string } },
  table: 'task' | 'project' | 'area',
  columns: string,
  id: string,
): Promise<Row> {
  const text = `select ${columns} from tasks.${table} where account_id = $1 and id = $2`;
  const { rows } = await db.query<Row>({ text, values: [account.id, id] });
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}
