import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { invalidState, notFound } from '#shared/errors/errors.ts';
import type { Session, WriteSession } from '../session.ts';
import { changeRows } from '../sync/set-based-change.ts';
import { clearSection } from '../tasks/project-tasks.ts';
import type { PresentableSection } from './present-section.ts';
import type { Project } from './project-entity.ts';
import { getProject, requireProject } from './project-service.ts';
import { type Section, SectionEntity } from './section-entity.ts';
import { countSections, loadSection } from './section-repository.ts';
import type { sectionCreateBody, sectionPatchBody } from './section-schema.ts';

/** Far beyond use: a project is always shown with all of them. */
const maximumSections = 1_000;

/** A project's sections in display order. Throws not_found. */
export async function listSections(
  session: Session,
  projectId: string,
): Promise<readonly PresentableSection[]> {
  return (await getProject(session, projectId)).sections;
}

/** A new section goes last. Throws not_found, and invalid_state in a closed project or one that is full. */
export async function createSection(
  session: WriteSession,
  projectId: string,
  { title }: InferType<typeof sectionCreateBody>,
): Promise<Section> {
  const { em, account, changedAt } = session;
  requireActive(await requireProject(session, projectId));
  const position = await countSections(em, account.id, projectId);
  if (position >= maximumSections) throw invalidState('A project holds at most 1,000 sections.');
  return em.create(SectionEntity, {
    accountId: account.id,
    id: randomUUID(),
    projectId,
    title,
    position,
    createdAt: changedAt,
    updatedAt: changedAt,
  });
}

/** Renames a section or moves it among its project's. Throws not_found, and invalid_state in a closed project. */
export async function updateSection(
  session: WriteSession,
  projectId: string,
  id: string,
  { title, position }: InferType<typeof sectionPatchBody>,
): Promise<Section> {
  const section = await requireSection(session, projectId, id);
  if (position !== undefined) await moveSection(session, section, position);
  if (title !== undefined) section.title = title;
  return section;
}

/** The section's tasks fall back to the project's root. Throws not_found, and invalid_state in a closed project. */
export async function deleteSection(session: WriteSession, projectId: string, id: string): Promise<void> {
  const section = await requireSection(session, projectId, id);
  await clearSection(session, id);
  // Only the last one can go without leaving a gap.
  await moveSection(session, section, Number.MAX_SAFE_INTEGER);
  session.em.remove(section);
}

/** Those in between move up or down by one, so that positions keep running from 0 without gaps. */
async function moveSection(session: WriteSession, section: Section, wanted: number): Promise<void> {
  const { projectId, position: present } = section;
  const last = (await countSections(session.em, session.account.id, projectId)) - 1;
  const target = Math.min(wanted, last);
  if (target === present) return;
  const [step, from, to] = target < present ? [1, target, present - 1] : [-1, present + 1, target];
  await changeRows(session, {
    entity: 'section',
    set: 'position = position + ?',
    setParameters: [step],
    where: 'project_id = ? and position between ? and ?',
    whereParameters: [projectId, from, to],
  });
  section.position = target;
}

async function requireSection(session: WriteSession, projectId: string, id: string): Promise<Section> {
  const project = await requireProject(session, projectId);
  const section = await loadSection(session.em, session.account.id, projectId, id);
  if (section === null) throw notFound();
  requireActive(project);
  return section;
}

/** The sections of a closed project are part of what was closed. */
function requireActive({ status }: Project): void {
  if (status !== 'active') throw invalidState(`The sections of a ${status} project can’t be changed.`);
}
