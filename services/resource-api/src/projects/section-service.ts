import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { invalidState, notFound } from '#shared/errors/errors.ts';
import { mostSections } from '#shared/validation/text-limits.ts';
import { deleteRow, insertRow, type Session, updateRow, type WriteSession } from '../session.ts';
import { wayToOpen } from '../tasks/task-placement.ts';
import { clearSection, moveSectionTasks } from '../tasks/task-repository.ts';
import type { Project, Section } from './project-entity.ts';
import { shiftSections } from './project-repository.ts';
import type { sectionCreateBody, sectionPatchBody } from './project-schema.ts';
import { getProject } from './project-service.ts';

/** A project's sections in display order. Throws not_found. */
export async function listSections(session: Session, projectId: string): Promise<readonly Section[]> {
  return (await getProject(session, projectId)).sections;
}

/** Adds a section at the end. Throws not_found, and invalid_state if the project is closed or full. */
export async function createSection(
  session: WriteSession,
  projectId: string,
  { title }: InferType<typeof sectionCreateBody>,
): Promise<Section> {
  const { account, changedAt } = session;
  const { project, sections } = await getProject(session, projectId);
  requireActive(project);
  if (sections.length >= mostSections)
    throw invalidState(`A project holds at most ${mostSections.toLocaleString('en')} sections.`);
  return insertRow(session, 'Section', {
    accountId: account.id,
    id: randomUUID(),
    projectId,
    title,
    position: sections.length,
    createdAt: changedAt,
    updatedAt: changedAt,
  });
}

/**
 * Renames a section or moves it within its project. Throws not_found, and invalid_state in a closed project.
 */
export async function patchSection(
  session: WriteSession,
  projectId: string,
  id: string,
  { title, position }: InferType<typeof sectionPatchBody>,
): Promise<Section> {
  const { section, last } = await requireSection(session, projectId, id);
  const target = Math.min(position ?? section.position, last);
  const patched = updateRow(session, 'Section', section, { title: title ?? section.title, position: target });
  shiftSectionsBetween(session, section, target);
  return patched;
}

/**
 * Moves the section's tasks to the section that takes its place, and those that are left, or in the Trash, to
 * the project's root. Throws not_found, and invalid_state in a closed project.
 */
export async function removeSection(
  session: WriteSession,
  projectId: string,
  id: string,
  into?: Pick<Section, 'id' | 'projectId'>,
): Promise<void> {
  const { section, last } = await requireSection(session, projectId, id);
  const from = { projectId, sectionId: id };
  if (into) await moveSectionTasks(session, from, { projectId: into.projectId, sectionId: into.id });
  await clearSection(session, projectId, id);
  deleteRow(session, 'Section', id);
  shiftSectionsBetween(session, section, last);
}

/** Shifts the sections between the former place of `section` and its new one: positions have no gaps. */
function shiftSectionsBetween(session: WriteSession, section: Section, target: number): void {
  const { position } = section;
  if (target < position) shiftSections(session, section, { from: target, to: position - 1, step: 1 });
  if (target > position) shiftSections(session, section, { from: position + 1, to: target, step: -1 });
}

/** `last` is the position of the project's last section. */
async function requireSection(
  session: WriteSession,
  projectId: string,
  id: string,
): Promise<{ section: Section; last: number }> {
  const { project, sections } = await getProject(session, projectId);
  const section = sections.find((candidate) => candidate.id === id);
  if (section === undefined) throw notFound();
  requireActive(project);
  return { section, last: sections.length - 1 };
}

/** Sections of a closed project cannot change. */
function requireActive({ status }: Project): void {
  if (status !== 'active')
    throw invalidState(`The sections of a ${status} project can’t be changed${wayToOpen(status)}.`);
}
