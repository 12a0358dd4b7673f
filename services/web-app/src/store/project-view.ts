import { byRank } from './order.ts';
import type { SectionRow } from './row-types.ts';
import { ids, select, selectDone, type ViewInput } from './views.ts';

type ProjectView = { root: string[]; sections: { id: string; ids: string[] }[]; done: string[] };

export function sectionsOf(sections: readonly SectionRow[], projectId: string): string[] {
  return ids(sections.filter((section) => section.projectId === projectId).sort(byRank));
}

export function viewProject(
  input: ViewInput,
  sections: readonly SectionRow[],
  projectId: string,
): ProjectView {
  const own = select(input, (task) => task.projectId === projectId).sort(byRank);
  const ownSections = sectionsOf(sections, projectId);
  const known = new Set(ownSections);
  return {
    root: ids(own.filter((task) => task.sectionId === null || !known.has(task.sectionId))),
    sections: ownSections.map((id) => ({ id, ids: ids(own.filter((task) => task.sectionId === id)) })),
    done: selectDone(input, (task) => task.projectId === projectId),
  };
}
