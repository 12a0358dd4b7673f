import type { QuickAddList } from '../overlays/overlay.ts';
import type { Route } from '../router.ts';
import type { Store } from '../store/store.ts';
import type { EntryDefaults } from './task-body.ts';

/** The default destination: the screen's, or the opener's list. */
export function screenDefaults(
  { rows, today: { value: today } }: Pick<Store, 'rows' | 'today'>,
  route: Route,
  list: QuickAddList | null,
): EntryDefaults {
  if (list !== null) return list;
  const project = route.screen === 'project' ? rows.projects.find(route.id) : undefined;
  const takesTasks = project?.status === 'active' && !project.inTrash;
  const place = takesTasks ? { projectId: project.id, sectionId: null } : null;
  return {
    place,
    dueDate: route.screen === 'today' ? today : null,
    isSomeday: route.screen === 'someday',
    namesInbox: route.screen !== 'inbox',
  };
}
