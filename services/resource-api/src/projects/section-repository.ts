import type { EntityManager } from '@mikro-orm/postgresql';
import type { PresentableSection } from './present-section.ts';
import { type Section, SectionEntity } from './section-entity.ts';

/** A project's sections in display order. */
export async function findSections(
  em: EntityManager,
  accountId: string,
  projectId: string,
): Promise<PresentableSection[]> {
  return em.execute<PresentableSection[]>(
    `select id, project_id as "projectId", title, created_at as "createdAt", updated_at as "updatedAt"
     from tasks.section where account_id = ? and project_id = ? order by position`,
    [accountId, projectId],
  );
}

export async function countSections(
  em: EntityManager,
  accountId: string,
  projectId: string,
): Promise<number> {
  const sql = 'select count(*) as count from tasks.section where account_id = ? and project_id = ?';
  const [row] = await em.execute<{ count: string }[]>(sql, [accountId, projectId]);
  return Number(row?.count);
}

/** The section as an entity of the open write; null when this project of the account has none of this id. */
export function loadSection(
  em: EntityManager,
  accountId: string,
  projectId: string,
  id: string,
): Promise<Section | null> {
  return em.findOne(SectionEntity, { accountId, id, projectId });
}
