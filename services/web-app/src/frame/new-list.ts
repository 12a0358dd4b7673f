import { signal } from '@preact/signals';
import { navigate } from '../router.ts';
import { isNarrow, isSideHidden } from './layout.ts';

/** The sidebar, or the page that replaces it on phones. */
export type ListsPlace = 'side' | 'page';

type NewList =
  | { kind: 'project' | 'area'; areaId: string | null; place: ListsPlace }
  | { kind: 'section'; projectId: string };

/** The list being named: a project in an area, a section in a project. */
export const newList = signal<NewList | null>(null);

export function askForName(list: NewList): void {
  newList.value = list;
}

/** Can be called from any screen. */
export function nameNewList(kind: 'project' | 'area', areaId: string | null = null): void {
  const place = isNarrow.value || isSideHidden.value ? 'page' : 'side';
  if (place === 'page') navigate({ screen: 'lists' });
  askForName({ kind, areaId, place });
}
