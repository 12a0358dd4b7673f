import { byRank } from '../store/order.ts';
import type { Rows } from '../store/rows.ts';
import { projectsInOrder } from '../store/views.ts';
import type { NamedProject } from './places.ts';

/** Projects that take tasks, as the sidebar orders them, with their sections. */
export function namedProjects(rows: Rows): (NamedProject & { area: string | null })[] {
  const open = rows.projects.all().filter(({ status, inTrash }) => status === 'active' && !inTrash);
  const sections = Map.groupBy(rows.sections.all().sort(byRank), ({ projectId }) => projectId);
  const areas = new Map(rows.areas.all().map((area) => [area.id, area.title]));
  return projectsInOrder(open, rows.areas.all()).map(({ id, title, areaId }) => ({
    id,
    title,
    sections: sections.get(id) ?? [],
    area: areas.get(areaId ?? '') ?? null,
  }));
}
