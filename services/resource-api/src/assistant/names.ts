import { invalidField } from '#shared/errors/errors.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { findProjectState } from '../tasks/task-repository.ts';
import { isSameName } from '../text-search.ts';
import { listAreaNames, listProjectNames, listSectionNames, type Named } from './list-names.ts';
import { findByPart, findSame, matchName, NameError, nameNotFound, wholeNameNeeded } from './match-names.ts';
import type { ToolCall } from './tool.ts';

type PlaceInput = {
  list?: 'inbox' | 'someday' | undefined;
  project?: string | undefined;
  section?: string | undefined;
};

/** A destination in the API's form. Throws NameError; validation_error if the token may not resolve names. */
export async function resolvePlace(call: ToolCall, { list, project, section }: PlaceInput) {
  const projectId = project === undefined ? undefined : await resolveProject(call, project);
  const sectionId = section === undefined ? undefined : await resolveSection(call, section, projectId);
  return { list, projectId, sectionId };
}

/** How to reopen a project that takes no tasks, by its state. */
const waysBack: Readonly<Record<string, string>> = {
  completed: 'set_project_status with active reopens it',
  cancelled: 'nothing opens it again; tell the person',
  'in the Trash': 'set_project_status with restored brings it back',
};

type Wanted = {
  /** Accept closed projects, too. */
  isClosedToo?: boolean;
  /** Accept trashed projects, too. */
  isTrashedToo?: boolean;
  /** Active projects take no precedence over others of the same name. */
  isEqual?: boolean;
  /** Require the whole name, for tools that delete or trash. */
  isWhole?: boolean;
};

/**
 * Resolves an id or name to the id of an active project. A whole name takes precedence over a partial match.
 * Throws NameError, with a hint how to reopen a closed project.
 */
export async function resolveProject(
  call: ToolCall,
  wanted: string,
  { isClosedToo = false, isTrashedToo = false, isEqual = false, isWhole = false }: Wanted = {},
): Promise<string> {
  if (isUuid(wanted)) return isTrashedToo ? wanted.toLowerCase() : outsideTrash(call, wanted);
  requireNames(call, 'project');
  const all = await listProjectNames(call.session);
  const groups = isEqual ? [all] : [isActive, isClosed, isTrashed].map((isOne) => all.filter(isOne));
  const finds = isWhole ? [findSame] : [findSame, findByPart];
  for (const [find, projects] of finds.flatMap((each) => groups.map((group) => [each, group] as const))) {
    const found = find('project', wanted, projects);
    if (found === undefined) continue;
    if (isActive(found) || (isTrashed(found) ? isTrashedToo : isClosedToo)) return found.id;
    throw mustBeOpened(found);
  }
  throw await projectNotFound(call, wanted, all.filter(isActive), isWhole);
}

/** «Not found» would deny the project; a name in the Trash is answered with how to restore it. */
async function outsideTrash({ session, canRead }: ToolCall, wanted: string): Promise<string> {
  const id = wanted.toLowerCase();
  const state = canRead ? await findProjectState(session, id) : undefined;
  if (!state?.isTrashed) return id;
  const found = (await listProjectNames(session)).find((project) => project.id === id);
  if (found && isTrashed(found)) throw mustBeOpened(found);
  return id;
}

const isActive = ({ state }: Named): boolean => state === null;
const isTrashed = ({ state }: Named): boolean => state === 'in the Trash';
const isClosed = (project: Named): boolean => !isActive(project) && !isTrashed(project);

async function projectNotFound(
  { session }: ToolCall,
  wanted: string,
  active: readonly Named[],
  isWhole: boolean,
): Promise<NameError> {
  if (isWhole) return wholeNameNeeded('project', wanted, active);
  const isArea = (await listAreaNames(session)).some(({ title }) => isSameName(title, wanted));
  return nameNotFound('project', wanted, active, isArea ? ': that is an area' : otherList(wanted));
}

const otherList = (wanted: string): string =>
  isSameName(wanted, 'inbox') || isSameName(wanted, 'someday') ? ': that is a list of its own' : '';

/**
 * Resolves a trashed or active project (already restored). Throws NameError, with a hint how to reopen a
 * closed one.
 */
export async function resolveTrashedProject(call: ToolCall, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'project');
  const all = await listProjectNames(call.session);
  const trashed = all.filter(isTrashed);
  const groups = [
    ['project in the Trash', trashed],
    ['project', all.filter(isActive)],
    ['project', all.filter(isClosed)],
  ] as const;
  for (const [kind, projects] of groups) {
    const found = matchName(kind, wanted, projects);
    if (found === undefined) continue;
    if (isClosed(found)) throw mustBeOpened(found);
    return found.id;
  }
  throw nameNotFound('project in the Trash', wanted, trashed);
}

function mustBeOpened(project: Named): NameError {
  const { title, state } = project;
  return new NameError(`«${title}» is ${state}: ${waysBack[state ?? '']}.`, [project]);
}

export async function resolveArea(
  call: ToolCall,
  wanted: string,
  { isWhole = false }: Wanted = {},
): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'area');
  const all = await listAreaNames(call.session);
  if (isWhole) return findNamed('area', wanted, all, true).id;
  const found = matchName('area', wanted, all);
  if (found !== undefined) return found.id;
  const projects = await listProjectNames(call.session);
  const isProject = projects.some((project) => isActive(project) && isSameName(project.title, wanted));
  throw nameNotFound('area', wanted, all, isProject ? ': that is a project' : '');
}

export async function resolveSection(
  call: ToolCall,
  wanted: string,
  projectId: string | undefined,
  { isWhole = false }: Wanted = {},
): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase();
  requireNames(call, 'section');
  return findNamed('section', wanted, await listSectionNames(call.session, projectId), isWhole).id;
}

function findNamed(kind: string, wanted: string, all: readonly Named[], isWhole: boolean): Named {
  const found = (isWhole ? findSame : matchName)(kind, wanted, all);
  if (found !== undefined) return found;
  throw isWhole ? wholeNameNeeded(kind, wanted, all) : nameNotFound(kind, wanted, all);
}

/** Resolving names reveals whether they exist, so it requires the scope `read`. */
function requireNames({ canRead }: ToolCall, field: string): void {
  if (!canRead) throw invalidField(field, `This token may not read, so ${field} must be an id, not a name.`);
}

/** Removes line breaks from a name, which could forge a line of the response. */
export function inOneLine(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
