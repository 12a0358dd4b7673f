import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { findArea } from '../areas/area-repository.ts';
import type { CursorCodec } from '../http/cursor.ts';
import { type Page, pageSize } from '../http/page.ts';
import type { Rendering } from '../notes/notes-renderer.ts';
import { requireDeadlineAllowed, requireRoomForProject } from '../plans/plan-policy.ts';
import type { Session, WriteSession } from '../session.ts';
import { changeRows } from '../sync/set-based-change.ts';
import type { ProjectWithSections } from './present-project.ts';
import { type Project, ProjectEntity } from './project-entity.ts';
import { countLiveProjects, findProject, findProjectPage, loadProject } from './project-repository.ts';
import type { projectCreateBody, projectListQuery, projectPatchBody } from './project-schema.ts';
import { findSections } from './section-repository.ts';

export function listProjects(
  { em, account, today }: Session,
  cursors: CursorCodec,
  query: InferType<typeof projectListQuery>,
): Promise<Page<ProjectWithSections>> {
  const { status, limit, cursor } = query;
  const areaId = query.areaId?.toLowerCase();
  const scope = [account.id, 'projects', areaId, status];
  const after = cursor === undefined ? undefined : cursors.open(scope, cursor).key;
  const seal = (key: readonly string[]): string => cursors.seal(scope, { today, key });
  return findProjectPage(em, { accountId: account.id, areaId, status }, pageSize(limit), after, seal);
}

/** Throws not_found, also for a project in the Trash. */
export async function getProject({ em, account }: Session, id: string): Promise<ProjectWithSections> {
  const project = await findProject(em, account.id, id);
  if (project === undefined) throw notFound();
  return project;
}

/**
 * A new project goes to the end. `rendering` is of the notes.
 * Throws validation_error on `areaId`, premium_required and project_limit_reached.
 */
export async function createProject(
  session: WriteSession,
  body: InferType<typeof projectCreateBody>,
  rendering: Rendering,
): Promise<ProjectWithSections> {
  const { em, account, changedAt } = session;
  const areaId = await requireArea(session, body.areaId ?? null);
  const deadlineDate = body.deadlineDate ?? null;
  requireDeadlineAllowed(account.plan, null, deadlineDate);
  await requireRoom(session);
  const project = em.create(ProjectEntity, {
    accountId: account.id,
    id: randomUUID(),
    areaId,
    title: body.title,
    description: body.description || null,
    descriptionHtml: rendering.html,
    rendererVersion: rendering.version,
    status: 'active',
    deadlineDate,
    rank: session.bottomRank(),
    trashedAt: null,
    completedAt: null,
    cancelledAt: null,
    createdAt: changedAt,
    updatedAt: changedAt,
  });
  return { project, sections: [] };
}

/**
 * Applies a merge patch; members that are not in it stay. `rendering` is of the patch's notes.
 * Throws not_found, validation_error on `status` (a closed project) or `areaId`, and premium_required.
 */
export async function updateProject(
  session: WriteSession,
  id: string,
  patch: InferType<typeof projectPatchBody>,
  rendering: Rendering,
): Promise<ProjectWithSections> {
  const project = await requireProject(session, id);
  if (project.status !== 'active') {
    throw invalidField('status', `A ${project.status} project can't be patched`);
  }
  const areaId = patch.areaId && (await requireArea(session, patch.areaId));
  requireDeadlineAllowed(session.account.plan, project.deadlineDate, patch.deadlineDate);
  if (patch.title !== undefined) project.title = patch.title;
  if (areaId !== undefined) project.areaId = areaId;
  if (patch.deadlineDate !== undefined) project.deadlineDate = patch.deadlineDate;
  if (patch.description !== undefined) changeNotes(project, patch.description || null, rendering);
  return withSections(session, project);
}

/** Notes that stay as they are keep their rendering, by whatever version of the renderer it was made. */
function changeNotes(project: Project, description: string | null, rendering: Rendering): void {
  if (description === (project.description ?? null)) return;
  project.description = description;
  project.descriptionHtml = rendering.html;
  project.rendererVersion = rendering.version;
}

/** Its projects, those in the Trash included, are in no area from then on. */
export async function ungroupProjects(session: WriteSession, areaId: string): Promise<void> {
  await changeRows(session, {
    entity: 'project',
    set: 'area_id = null',
    where: 'area_id = ?',
    whereParameters: [areaId],
  });
}

/** The project as an entity of the open write. Throws not_found, also for a project in the Trash. */
export async function requireProject({ em, account }: WriteSession, id: string): Promise<Project> {
  const project = await loadProject(em, account.id, id);
  if (project === null || project.trashedAt) throw notFound();
  return project;
}

/** Throws project_limit_reached when the plan has no room for one more live project. */
export function requireRoom({ em, account }: WriteSession): Promise<void> {
  return requireRoomForProject(account.plan, () => countLiveProjects(em, account.id));
}

export async function withSections(
  { em, account }: WriteSession,
  project: Project,
): Promise<ProjectWithSections> {
  return { project, sections: await findSections(em, account.id, project.id) };
}

async function requireArea({ em, account }: WriteSession, areaId: string | null): Promise<string | null> {
  if (areaId === null) return null;
  const area = await findArea(em, account.id, areaId);
  if (area === undefined) throw invalidField('areaId', 'areaId names no area of this account');
  return area.id;
}
