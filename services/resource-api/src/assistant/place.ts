import { AppError } from '#shared/errors/app-error.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { findNamed, listActiveProjects, listAreaNames, listSectionNames } from './names.ts';
import type { ToolCall } from './tool.ts';

/** Where a task goes, in the API's words. */
export type Place = { list?: 'inbox' | 'someday'; projectId?: string; sectionId?: string | null };

export type PlaceInput = {
  list?: 'inbox' | 'someday' | undefined;
  project?: string | undefined;
  section?: string | undefined;
};

/** Throws NameError, and validation_error where a name can't be resolved for who asks. */
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

/** Whether a name exists is content, which a token without the scope read must not learn. */
function requireNames({ canRead }: ToolCall, field: string): void {
  if (!canRead) throw faultOf(field, `This token may not read, so ${field} must be an id, not a name.`);
}

function faultOf(field: string, message: string): AppError {
  return new AppError('validation_error', { message, errors: { [field]: [message] } });
}
