import { effect } from '@preact/signals';
import { newList } from '../frame/new-list.ts';
import { openOverlay, overlay } from '../overlays/overlay.ts';
import { location, navigate, type Route } from '../router.ts';
import type { RowTable } from '../store/row-table.ts';
import type { Rows } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** Replaces temporary ids by the server's in the URL, and where something is being added. */
export function keepIds({ rows }: Store, signal: AbortSignal): void {
  for (const keep of [keepAddress, keepNamingPlace, keepAddingPlace])
    signal.addEventListener(
      'abort',
      effect(() => keep(rows)),
    );
}

function keepAddress(rows: Rows): void {
  const { route, task } = location.value;
  const lasting = lastingRoute(rows, route);
  const openTask = task === null ? null : lastingId(rows.tasks, task);
  if (lasting === route && openTask === task) return;
  navigate(lasting, { task: openTask, replace: true });
}

/** The area in which a project is being named. */
function keepNamingPlace({ areas }: Rows): void {
  const named = newList.value;
  if (named === null || named.kind === 'section' || named.areaId === null) return;
  const areaId = lastingId(areas, named.areaId);
  if (areaId !== named.areaId) newList.value = { ...named, areaId };
}

/** The project and section for which quick add was opened. */
function keepAddingPlace({ projects, sections }: Rows): void {
  const open = overlay.value;
  if (open?.kind !== 'quick-add' || open.list?.place == null) return;
  const { projectId, sectionId } = open.list.place;
  const place = {
    projectId: lastingId(projects, projectId),
    sectionId: sectionId === null ? null : lastingId(sections, sectionId),
  };
  if (place.projectId !== projectId || place.sectionId !== sectionId)
    openOverlay({ ...open, list: { ...open.list, place } });
}

function lastingRoute({ projects, areas }: Rows, route: Route): Route {
  if (route.screen !== 'project' && route.screen !== 'area') return route;
  const id = lastingId(route.screen === 'project' ? projects : areas, route.id);
  return id === route.id ? route : { ...route, id };
}

const lastingId = (table: Pick<RowTable<{ id: string }>, 'row'>, id: string): string =>
  table.row(id).value?.id ?? id;
