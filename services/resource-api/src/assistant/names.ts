import { AppError } from '#shared/errors/app-error.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { isSameName, wordsOf } from '../text-search.ts';
import { listAreaNames, listProjectNames, listSectionNames, type Named } from './list-names.ts';
import type { ToolCall } from './tool.ts';

/** A name without a match, or with several. */
export class NameError extends Error {
  readonly candidates: readonly Named[];
  /** Candidates beyond those, and what lists all; empty without any. */
  readonly rest: string;

  constructor(message: string, all: readonly Named[], kind = '') {
    super(message);
    this.name = 'NameError';
    this.candidates = all.slice(0, closeNames);
    const left = all.length - closeNames;
    this.rest = left > 0 ? `and ${left} more: ${listingTools[kind] ?? 'use an id'}` : '';
  }
}

const closeNames = 10;
const listingTools: Readonly<Record<string, string>> = {
  project: 'list_projects lists all',
  'project in the Trash': 'list_projects with status=trashed lists all',
  area: 'list_projects lists all',
  section: 'get_project lists all',
  step: 'get_task lists all',
};

/**
 * What has the name, or alone has all its words or their beginnings; undefined when nothing does. Throws NameError when
 * several do.
 */
export function matchName<Item extends { title: string }>(
  kind: string,
  wanted: string,
  all: readonly Item[],
  toNamed: (item: Item) => Named,
): Item | undefined {
  const same = all.filter(({ title }) => isSameName(title, wanted));
  const matches = same.length > 0 ? same : all.filter(({ title }) => hasWords(title, wanted));
  if (matches.length < 2) return matches[0];
  const what = same.length > 0 ? 'is the name of' : 'is part of the name of';
  throw new NameError(`«${wanted}» ${what} several ${kind}s: use the id of one.`, matches.map(toNamed), kind);
}

function hasWords(title: string, wanted: string): boolean {
  const [words, wantedWords] = [wordsOf(title), wordsOf(wanted)];
  return wantedWords.length > 0 && wantedWords.every((part) => words.some((word) => word.startsWith(part)));
}

/** With those that share a word with the name, or else all. `instead`: what of another kind has the name. */
export function nameNotFound(kind: string, wanted: string, all: readonly Named[], instead = ''): NameError {
  const parts = wordsOf(wanted);
  const close = all.filter(({ title }) =>
    wordsOf(title).some((word) => parts.some((part) => part.startsWith(word) || word.startsWith(part))),
  );
  return new NameError(
    `There is no ${kind} called «${wanted}»${instead}.`,
    close.length > 0 ? close : all,
    kind,
  );
}

function findNamed(kind: string, wanted: string, all: readonly Named[]): Named {
  const found = matchName(kind, wanted, all, (named) => named);
  if (found === undefined) throw nameNotFound(kind, wanted, all);
  return found;
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

/** How a project is opened again that takes no tasks. */
const wayBack = {
  closed: 'set_project_status with active reopens it',
  trashed: 'restore_project brings it back',
} as const;

/**
 * The id of an active project, by itself or by a name. `accepts`: one that is closed or in the Trash will do, too. Throws
 * NameError, with what to do about a project that would have to be opened again.
 */
export async function resolveProject(
  call: ToolCall,
  wanted: string,
  accepts: readonly ('closed' | 'trashed')[] = [],
): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'project');
  const toNamed = (named: Named) => named;
  const active = await listProjectNames(call.session, 'active');
  const found = matchName('project', wanted, active, toNamed);
  if (found !== undefined) return found.id;
  for (const which of ['closed', 'trashed'] as const) {
    const other = matchName('project', wanted, await listProjectNames(call.session, which), toNamed);
    if (other === undefined) continue;
    if (accepts.includes(which)) return other.id;
    throw new NameError(`«${other.title}» is ${other.state}: ${wayBack[which]}.`, [other]);
  }
  const isArea = (await listAreaNames(call.session)).some(({ title }) => isSameName(title, wanted));
  throw nameNotFound('project', wanted, active, isArea ? ': that is an area' : '');
}

/** Throws NameError also for a project that is not in the Trash. */
export async function resolveTrashedProject(call: ToolCall, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'project');
  return findNamed('project in the Trash', wanted, await listProjectNames(call.session, 'trashed')).id;
}

export async function resolveArea(call: ToolCall, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'area');
  const all = await listAreaNames(call.session);
  const found = matchName('area', wanted, all, (area) => area);
  if (found !== undefined) return found.id;
  const isProject = (await listProjectNames(call.session, 'active')).some(({ title }) =>
    isSameName(title, wanted),
  );
  throw nameNotFound('area', wanted, all, isProject ? ': that is a project' : '');
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
