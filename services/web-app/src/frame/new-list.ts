import { signal } from '@preact/signals';
import { hrefOf, navigate } from '../router.ts';
import { isNarrow, isSideHidden } from './layout.ts';

/** The sidebar, or the page that replaces it on phones. */
export type ListsPlace = 'side' | 'page';

/** The list being named: a project in an area, a section in a project. */
export const newList = signal<
  | { kind: 'project' | 'area'; areaId: string | null; place: ListsPlace }
  | { kind: 'section'; projectId: string }
  | null
>(null);

/** Can be called from any screen. */
export function nameNewList(kind: 'project' | 'area', areaId: string | null = null): void {
  const place = isNarrow.value || isSideHidden.value ? 'page' : 'side';
  if (place === 'page') navigate(hrefOf({ screen: 'lists' }));
  newList.value = { kind, areaId, place };
}
