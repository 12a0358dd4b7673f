import { groupOf, type ListGroup, type RowRef } from '../list/list-group.ts';
import { clearSelection, shownList } from '../list/list-state.ts';
import { type ListPlace, putRows } from '../list/reorder.ts';
import type { Store } from '../store/store.ts';

/** Where dragged rows would go, and the element that shows it. */
export type Drop =
  | { kind: 'place'; place: ListPlace; element: HTMLElement; edge: 'above' | 'below' | 'whole' }
  | { kind: 'list'; list: string; id: string; element: HTMLElement };

const taskLists = ['inbox', 'today', 'someday', 'anytime', 'trash', 'project'];
const projectLists = ['area', 'trash'];

export function dropAt(x: number, y: number, dragged: readonly RowRef[]): Drop | null {
  const [first] = dragged;
  const target = document.elementFromPoint(x, y);
  if (first === undefined || target === null) return null;
  const link = target.closest<HTMLElement>('[data-drop]');
  if (link !== null) {
    const { drop: list = '', dropId: id = '' } = link.dataset;
    const isTaken = (first.entity === 'task' ? taskLists : projectLists).includes(list);
    return isTaken ? { kind: 'list', list, id, element: link } : null;
  }
  const groups = shownList.value?.groups ?? [];
  const row = target.closest<HTMLElement>('[data-row]');
  if (row !== null) return besideRow(groups, row, y, dragged);
  const heading = target.closest<HTMLElement>('[data-group]');
  const group = groups.find(({ key }) => key === heading?.dataset.group);
  if (heading === null || group === undefined || !takes(group, first)) return null;
  return { kind: 'place', place: { groupKey: group.key, after: null }, element: heading, edge: 'whole' };
}

function takes(group: ListGroup, ref: RowRef): boolean {
  if (ref.entity === 'task') return group.place !== null;
  return group.isOrdered && group.rows.some((row) => row.id === ref.id);
}

function besideRow(
  groups: readonly ListGroup[],
  element: HTMLElement,
  y: number,
  dragged: readonly RowRef[],
): Drop | null {
  const id = element.dataset.row ?? '';
  const group = groupOf(groups, id);
  const [first] = dragged;
  if (group === undefined || first === undefined || !takes(group, first)) return null;
  const { top, height } = element.getBoundingClientRect();
  const edge = y < top + height / 2 ? 'above' : 'below';
  const going = new Set(dragged.map((ref) => ref.id));
  const index = group.rows.findIndex((row) => row.id === id);
  const before = group.rows.slice(0, edge === 'above' ? index : index + 1);
  const after = before.findLast((row) => !going.has(row.id))?.id ?? null;
  return { kind: 'place', place: { groupKey: group.key, after }, element, edge };
}

export function performDrop(store: Store, dragged: readonly RowRef[], drop: Drop): void {
  clearSelection();
  if (drop.kind === 'place') putRows(store, dragged, drop.place);
  else if (dragged[0]?.entity === 'project') dropProjects(store, dragged, drop);
  else
    dropTasks(
      store,
      dragged.map((ref) => ref.id),
      drop,
    );
}

type ListDrop = Extract<Drop, { kind: 'list' }>;

function dropProjects(store: Store, dragged: readonly RowRef[], { list, id }: ListDrop): void {
  for (const ref of dragged) {
    if (list === 'trash') store.commands.trashProject(ref.id);
    else store.commands.patchProject(ref.id, { areaId: id });
  }
}

function dropTasks(store: Store, ids: readonly string[], { list, id }: ListDrop): void {
  const { commands } = store;
  if (list === 'project') commands.moveTask(ids, { projectId: id, sectionId: null });
  else if (list === 'inbox') commands.moveTask(ids, { list: 'inbox' });
  else if (list === 'today') commands.planToday(ids);
  else if (list === 'someday') commands.someday(ids);
  else if (list === 'anytime') commands.noDate(ids);
  else commands.trash(ids);
}

const line = document.createElement('div');
line.className = 'drop-line';
let marked: HTMLElement | null = null;

/** A line of 2 px between rows; a heading or a list of the sidebar is marked as a whole. */
export function showDrop(drop: Drop | null): void {
  marked?.classList.remove('drop-on');
  marked = null;
  line.remove();
  if (drop === null) return;
  if (drop.kind === 'list' || drop.edge === 'whole') {
    marked = drop.element;
    marked.classList.add('drop-on');
    return;
  }
  const { left, width, top, bottom } = drop.element.getBoundingClientRect();
  line.style.left = `${left + 40}px`;
  line.style.width = `${width - 52}px`;
  line.style.top = `${(drop.edge === 'above' ? top : bottom) - 1}px`;
  document.body.append(line);
}
