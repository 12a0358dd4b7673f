import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { notFound } from '#shared/errors/errors.ts';
import { type CursorCodec, openPage } from '../http/cursor.ts';
import { type Page, pageSize } from '../http/page.ts';
import { requireRoomForArea } from '../plans/plan-policy.ts';
import { ungroupProjects } from '../projects/project-repository.ts';
import { deleteRow, insertRow, type Session, updateRow, type WriteSession } from '../session.ts';
import type { Area } from './area-entity.ts';
import { countAreas, findArea, findAreaPage } from './area-repository.ts';
import type { areaCreateBody, areaListQuery, areaPatchBody } from './area-schema.ts';

export function listAreas(
  session: Session,
  cursors: CursorCodec,
  { limit, cursor }: InferType<typeof areaListQuery>,
): Promise<Page<Area>> {
  const { after, seal } = openPage(cursors, session, ['areas'], cursor);
  return findAreaPage(session, pageSize(limit), after, seal);
}

/** Throws not_found. */
export async function getArea(session: Session, id: string): Promise<Area> {
  const area = await findArea(session, id);
  if (area === undefined) throw notFound();
  return area;
}

/** Adds an area at the end. Throws area_limit_reached. */
export async function createArea(
  session: WriteSession,
  { title }: InferType<typeof areaCreateBody>,
): Promise<Area> {
  const { account, changedAt } = session;
  await requireRoomForArea(account.plan, () => countAreas(session));
  return insertRow(session, 'Area', {
    accountId: account.id,
    id: randomUUID(),
    title,
    rank: session.bottomRank(),
    createdAt: changedAt,
    updatedAt: changedAt,
  });
}

/** Throws not_found. */
export async function patchArea(
  session: WriteSession,
  id: string,
  { title }: InferType<typeof areaPatchBody>,
): Promise<Area> {
  const area = await getArea(session, id);
  return updateRow(session, 'Area', area, { title: title ?? area.title });
}

/** Its projects, including those in the Trash, become ungrouped. Throws not_found. */
export async function removeArea(session: WriteSession, id: string): Promise<void> {
  await getArea(session, id);
  ungroupProjects(session, id);
  deleteRow(session, 'Area', id);
}
