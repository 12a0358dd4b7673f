import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { notFound } from '#shared/errors/errors.ts';
import type { CursorCodec } from '../http/cursor.ts';
import { type Page, pageSize } from '../http/page.ts';
import { requireRoomForArea } from '../plans/plan-policy.ts';
import { ungroupProjects } from '../projects/project-service.ts';
import type { Session, WriteSession } from '../session.ts';
import { type Area, AreaEntity } from './area-entity.ts';
import { countAreas, findArea, findAreaPage, loadArea } from './area-repository.ts';
import type { areaCreateBody, areaListQuery, areaPatchBody } from './area-schema.ts';
import type { PresentableArea } from './present-area.ts';

export function listAreas(
  { em, account, today }: Session,
  cursors: CursorCodec,
  { limit, cursor }: InferType<typeof areaListQuery>,
): Promise<Page<PresentableArea>> {
  const scope = [account.id, 'areas'];
  const after = cursor === undefined ? undefined : cursors.open(scope, cursor).key;
  const seal = (key: readonly string[]): string => cursors.seal(scope, { today, key });
  return findAreaPage(em, account.id, pageSize(limit), after, seal);
}

export async function getArea({ em, account }: Session, id: string): Promise<PresentableArea> {
  const area = await findArea(em, account.id, id);
  if (area === undefined) throw notFound();
  return area;
}

/** A new area goes to the end. Throws area_limit_reached. */
export async function createArea(
  session: WriteSession,
  { title }: InferType<typeof areaCreateBody>,
): Promise<Area> {
  const { em, account, changedAt } = session;
  await requireRoomForArea(account.plan, () => countAreas(em, account.id));
  return em.create(AreaEntity, {
    accountId: account.id,
    id: randomUUID(),
    title,
    rank: session.bottomRank(),
    createdAt: changedAt,
    updatedAt: changedAt,
  });
}

export async function updateArea(
  session: WriteSession,
  id: string,
  { title }: InferType<typeof areaPatchBody>,
): Promise<Area> {
  const area = await requireArea(session, id);
  if (title !== undefined) area.title = title;
  return area;
}

/** Its projects survive, those in the Trash too, and become ungrouped. */
export async function deleteArea(session: WriteSession, id: string): Promise<void> {
  const area = await requireArea(session, id);
  await ungroupProjects(session, id);
  session.em.remove(area);
}

async function requireArea({ em, account }: WriteSession, id: string): Promise<Area> {
  const area = await loadArea(em, account.id, id);
  if (area === null) throw notFound();
  return area;
}
