import { type AccountState, type AreaState, nextId, type SectionState, sectionsOf } from './account-state.ts';
import { type Answer, invalid, invalidState, notFound, planLimit, type SectionPatch } from './operation.ts';
import { requireProject } from './project-rules.ts';

/* The sections of a project, and the areas that group projects. */

const freeAreas = 2;

export function createSection(draft: AccountState, projectId: string, title: string): Answer {
  if (!title.trim()) throw invalid('title');
  if (requireProject(draft, projectId).status !== 'active') throw invalidState();
  const id = nextId(draft, 'section');
  const position = sectionsOf(draft, projectId).length;
  draft.section[id] = { id, projectId, title, position, createdAt: draft.tick, updatedAt: draft.tick };
  return { status: 201, shows: { kind: 'section', id } };
}

export function patchSection(
  draft: AccountState,
  projectId: string,
  id: string,
  patch: SectionPatch,
): Answer {
  if (patch.title !== undefined && !patch.title.trim()) throw invalid('title');
  const section = requireSection(draft, projectId, id);
  if (patch.title !== undefined) section.title = patch.title;
  if (patch.position !== undefined) {
    const others = sectionsOf(draft, projectId).filter((other) => other.id !== id);
    number(others.toSpliced(patch.position, 0, section));
  }
  return { status: 200, shows: { kind: 'section', id } };
}

/** Its tasks fall back to the root of the project. */
export function deleteSection(draft: AccountState, projectId: string, id: string): Answer {
  requireSection(draft, projectId, id);
  delete draft.section[id];
  number(sectionsOf(draft, projectId));
  for (const task of Object.values(draft.task)) if (task.sectionId === id) task.sectionId = null;
  return { status: 204 };
}

function number(sections: readonly SectionState[]): void {
  sections.forEach((section, position) => {
    section.position = position;
  });
}

function requireSection(state: AccountState, projectId: string, id: string): SectionState {
  const project = requireProject(state, projectId);
  const section = state.section[id];
  if (section?.projectId !== projectId) throw notFound();
  if (project.status !== 'active') throw invalidState();
  return section;
}

export function createArea(draft: AccountState, title: string): Answer {
  if (!title.trim()) throw invalid('title');
  const isFull = Object.keys(draft.area).length >= freeAreas;
  if (draft.plan === 'free' && isFull) throw planLimit('area_limit_reached');
  const id = nextId(draft, 'area');
  draft.area[id] = { id, title, createdAt: draft.tick, updatedAt: draft.tick };
  return { status: 201, shows: { kind: 'area', id } };
}

export function patchArea(draft: AccountState, id: string, { title }: { title?: string }): Answer {
  if (title !== undefined && !title.trim()) throw invalid('title');
  const area = requireArea(draft, id);
  if (title !== undefined) area.title = title;
  return { status: 200, shows: { kind: 'area', id } };
}

/** Its projects stay, without a group. */
export function deleteArea(draft: AccountState, id: string): Answer {
  requireArea(draft, id);
  delete draft.area[id];
  for (const project of Object.values(draft.project)) if (project.areaId === id) project.areaId = null;
  return { status: 204 };
}

function requireArea(state: AccountState, id: string): AreaState {
  const area = state.area[id];
  if (area === undefined) throw notFound();
  return area;
}
