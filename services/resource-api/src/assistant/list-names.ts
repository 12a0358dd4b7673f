import type { Queryable } from '#shared/database/database.ts';

/** `within`: the area or project that contains it. `state`: why a project takes no tasks. */
export type Named = { id: string; title: string; within?: string | null; state?: string | null };

type Owner = { db: Queryable; account: { id: string } };

/** In display order; `state` is null if the project takes tasks. */
export async function listProjectNames({ db, account }: Owner): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select project.id, project.title, area.title as within,
       case when project.trashed_at is not null then 'in the Trash'
         when project.status <> 'active' then project.status end as state
     from tasks.project
     left join tasks.area on area.account_id = project.account_id and area.id = project.area_id
     where project.account_id = $1
     order by project.rank, project.id`,
    values: [account.id],
  });
  return rows;
}

export async function listAreaNames({ db, account }: Owner): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select id, title from tasks.area where account_id = $1 order by rank, id`,
    values: [account.id],
  });
  return rows;
}

/** Sections of one project, or of all active projects. */
export async function listSectionNames(
  { db, account }: Owner,
  projectId: string | undefined,
): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select section.id, section.title, project.title as within from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = $1 and project.trashed_at is null
       and case when $2::uuid is null then project.status = 'active' else section.project_id = $2 end
     order by project.rank, project.id, section.position`,
    values: [account.id, projectId ?? null],
  });
  return rows;
}
