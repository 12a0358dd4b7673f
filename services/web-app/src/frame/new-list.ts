import { signal } from '@preact/signals';
import { hrefOf, navigate } from '../router.ts';
import { isNarrow, isSideHidden } from './layout.ts';

/** The sidebar, or the page that takes its place. */
export type ListsPlace = 'side' | 'page';

/** What is being named: a project goes into the area, a section into the project. */
export const newList = signal<
  | { kind: 'project' | 'area'; areaId: string | null; place: ListsPlace }
  | { kind: 'section'; projectId: string }
  | null
>(null);

/** From anywhere. */
export function nameNewList(kind: 'project' | 'area', areaId: string | null = null): void {
  const place = isNarrow.value || isSideHidden.value ? 'page' : 'side';
  if (place === 'page') navigate(hrefOf({ screen: 'lists' }));
  newList.value = { kind, areaId, place };
}
