import { AppError } from '#shared/errors/app-error.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { Session } from '../session.ts';
import type { ToolCall } from './tool.ts';

/** A project, section or area. `within`: the area or project that contains it. */
export type Named = { id: string; title: string; within: string | null };

/** A name without a match, or with several. */
export class NameError extends Error {
  readonly candidates: readonly Named[];

  constructor(message: string, candidates: readonly Named[]) {
    super(message);
    this.name = 'NameError';
    this.candidates = candidates;
  }
}

const closeNames = 10;

async function listActiveProjects({ db, account }: Session): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select project.id, project.title, area.title as within from tasks.project
     left join tasks.area on area.account_id = project.account_id and area.id = project.area_id
     where project.account_id = $1 and project.trashed_at is null and project.status = 'active'
     order by project.rank, project.id`,
    values: [account.id],
  });
  return rows;
}

async function listAreaNames({ db, account }: Session): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select id, title, null as within from tasks.area where account_id = $1 order by rank, id`,
    values: [account.id],
  });
  return rows;
}

async function listSectionNames({ db, account }: Session, projectId: string): Promise<Named[]> {
  const { rows } = await db.query<Named>({
    text: `select section.id, section.title, project.title as within from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = $1 and section.project_id = $2 and project.trashed_at is null
     order by section.position`,
    values: [account.id, projectId],
  });
  return rows;
}

/** Compares without case. Throws NameError with all matches when there are several, with similar names when there is none. */
function findNamed(kind: string, wanted: string, all: readonly Named[]): Named {
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

/** Where a task goes, as the API takes it. */
export type Place = { list?: 'inbox' | 'someday'; projectId?: string; sectionId?: string | null };

export type PlaceInput = {
  list?: 'inbox' | 'someday' | undefined;
  project?: string | undefined;
  section?: string | undefined;
};

/** Throws NameError, and validation_error for a name that this token may not resolve. */
export async function resolvePlace(call: ToolCall, { list, project, section }: PlaceInput): Promise<Place> {
  const projectId = project === undefined ? undefined : await resolveProject(call, project);
  const sectionId = section === undefined ? undefined : await resolveSection(call, section, projectId);
  return {
    ...(list !== undefined && { list }),
    ...(projectId !== undefined && { projectId }),
    ...(sectionId !== undefined && { sectionId }),
  };
}

/** An id, or a name in any case. */
export async function resolveProject(call: ToolCall, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'project');
  return findNamed('project', wanted, await listActiveProjects(call.session)).id;
}

export async function resolveArea(call: ToolCall, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'area');
  return findNamed('area', wanted, await listAreaNames(call.session)).id;
}

export async function resolveSection(
  call: ToolCall,
  wanted: string,
  projectId: string | undefined,
): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'section');
  if (projectId === undefined)
    throw faultOf('section', 'Name the project too, or use the id of the section.');
  return findNamed('section', wanted, await listSectionNames(call.session, projectId)).id;
}

/** Whether a name exists is content: it needs the scope `read`. */
function requireNames({ canRead }: ToolCall, field: string): void {
  if (!canRead) throw faultOf(field, `This token may not read, so ${field} must be an id, not a name.`);
}

function faultOf(field: string, message: string): AppError {
  return new AppError('validation_error', { message, errors: { [field]: [message] } });
}

/** A name as a part of a line: a line break in it could forge a line of the answer. */
export function inOneLine(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
