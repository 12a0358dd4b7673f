import type { Session } from '../session.ts';

/** Something that has a name: a project, a section or an area. `within`: what tells two of one name apart. */
export type Named = { id: string; title: string; within: string | null };

/** A name that stands for nothing, or for several things: the model is told what there is. */
export class NameError extends Error {
  readonly candidates: readonly Named[];

  constructor(message: string, candidates: readonly Named[]) {
    super(message);
    this.name = 'NameError';
    this.candidates = candidates;
  }
}

const closeNames = 10;

/** Active projects; those in the Trash and closed ones are named by nobody. */
export async function listActiveProjects({ db, account }: Session): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select project.id, project.title, area.title as within from tasks.project
     left join tasks.area on area.account_id = project.account_id and area.id = project.area_id
     where project.account_id = $1 and project.trashed_at is null and project.status = 'active'
     order by project.rank, project.id`,
    values: [account.id],
  });
  return rows;
}

export async function listAreaNames({ db, account }: Session): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select id, title, null as within from tasks.area where account_id = $1 order by rank, id`,
    values: [account.id],
  });
  return rows;
}

export async function listSectionNames({ db, account }: Session, projectId: string): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select section.id, section.title, project.title as within from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = $1 and section.project_id = $2 and project.trashed_at is null
     order by section.position`,
    values: [account.id, projectId],
  });
  return rows;
}

/**
 * The one thing of that name, in any case. Throws NameError with the candidates when there are several, and with the
 * close names when there is none: a guess would put somebody's task in the wrong place.
 */
export function findNamed(kind: string, wanted: string, all: readonly Named[]): Named {
  const name = fold(wanted);
  const [found, ...others] = all.filter(({ title }) => fold(title) === name);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const candidates = [found, ...others].slice(0, closeNames);
    throw new NameError(`«${wanted}» is the name of several ${kind}s: use the id of one.`, candidates);
  }
  const close = all.filter(({ title }) => fold(title).includes(name) || name.includes(fold(title)));
  const candidates = (close.length > 0 ? close : all).slice(0, closeNames);
  throw new NameError(`There is no ${kind} called «${wanted}».`, candidates);
}

function fold(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
