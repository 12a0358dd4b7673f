import type { QuickAddList } from '../overlays/overlay.ts';
import type { Route } from '../router.ts';
import type { EntryDefaults } from './task-body.ts';

/** Where a task goes that says nothing else: the screen, or the list that the opener names. */
export function screenDefaults(route: Route, list: QuickAddList | null, today: string): EntryDefaults {
  if (list !== null) {
    const { projectId, sectionId, dueDate } = list;
    return { place: projectId === null ? null : { projectId, sectionId }, dueDate, isSomeday: false };
  }
  const place = route.screen === 'project' ? { projectId: route.id, sectionId: null } : null;
  return { place, dueDate: route.screen === 'today' ? today : null, isSomeday: route.screen === 'someday' };
}
