import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows } from '#shared/database/query-rows.ts';
import { invalidField, invalidState, notFound } from '#shared/errors/errors.ts';
import type { Session } from '../session.ts';
import type { Destination, Placement } from './task-placement.ts';

type ProjectState = { status: 'active' | 'completed' | 'cancelled'; isTrashed: boolean };

/** The state of the account's project, the Trash included; undefined when there is none of this id. */
export async function findProjectState(
  em: EntityManager,
  accountId: string,
  projectId: string,
): Promise<ProjectState | undefined> {
  const [state] = await lookUpRows<ProjectState>(
    em,
    `select status, trashed_at is not null as "isTrashed" from tasks.project where account_id = ? and id = ?`,
    [accountId, projectId],
  );
  return state;
}

/** A place in a project that exists: what to check next is whether the project still takes tasks. */
export type ProjectPlace = { placement: Placement; isProjectOpen: boolean };

/**
 * Looks a place in a project up. Throws not_found for an unknown, foreign or trashed project or section, and
 * validation_error on `sectionId` for a section of another project.
 */
export async function findProjectPlace(
  { em, account }: Session,
  destination: Extract<Destination, { kind: 'project' }>,
): Promise<ProjectPlace> {
  const { sectionId } = destination;
  const owner = sectionId === undefined ? undefined : await findSectionProject(em, account.id, sectionId);
  if (sectionId !== undefined && owner === undefined) throw notFound();
  const projectId = destination.projectId ?? owner;
  const state = projectId === undefined ? undefined : await findProjectState(em, account.id, projectId);
  if (projectId === undefined || state === undefined || state.isTrashed) throw notFound();
  if (owner !== undefined && owner !== projectId) {
    throw invalidField('sectionId', 'sectionId names a section of another project');
  }
  return {
    placement: { list: 'project', projectId, sectionId: sectionId ?? null },
    isProjectOpen: state.status === 'active',
  };
}

export function requireOpenProject({ isProjectOpen }: ProjectPlace): void {
  if (!isProjectOpen) throw invalidState('The project is completed or cancelled and takes no tasks.');
}

/** The project of a section; none when that project is in the Trash, since the section then is too. */
async function findSectionProject(
  em: EntityManager,
  accountId: string,
  sectionId: string,
): Promise<string | undefined> {
  const [section] = await lookUpRows<{ projectId: string }>(
    em,
    `select section.project_id as "projectId" from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = ? and section.id = ? and project.trashed_at is null`,
    [accountId, sectionId],
  );
  return section?.projectId;
}
