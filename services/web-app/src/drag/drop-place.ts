import { groupOf, type ListGroup, type RowRef } from '../list/list-group.ts';
import { clearSelection, shownList } from '../list/list-state.ts';
import { type ListPlace, putRows } from '../list/reorder.ts';
import type { Store } from '../store/store.ts';

/** Where dragged rows would go, and the element that shows it. */
export type Drop =
  | { kind: 'place'; place: ListPlace; element: HTMLElement; edge: 'above' | 'below' | 'whole' }
  | { kind: 'list'; list: string; id: string; element: HTMLElement };

/** What a list of the sidebar does with rows dropped on it; it refuses rows that have no entry here. */
type DropCommands<Dropped> = ReadonlyMap<
  string,
  (commands: Store['commands'], rows: Dropped, id: string) => void
>;

const taskDrops: DropCommands<readonly string[]> = new Map([
  ['inbox', (commands, ids) => commands.moveTask(ids, { list: 'inbox' })],
  ['today', (commands, ids) => commands.planToday(ids)],
  ['someday', (commands, ids) => commands.someday(ids)],
  ['anytime', (commands, ids) => commands.noDate(ids)],
  ['trash', (commands, ids) => commands.trash(ids)],
  ['project', (commands, ids, projectId) => commands.moveTask(ids, { projectId, sectionId: null })],
]);
const projectDrops: DropCommands<string> = new Map([
  ['area', (commands, project, areaId) => commands.patchProject(project, { areaId })],
  ['trash', (commands, project) => commands.trashProject(project)],
]);

export function dropAt(x: number, y: number, dragged: readonly RowRef[]): Drop | null {
  const [first] = dragged;
  const target = document.elementFromPoint(x, y);
  if (first === undefined || target === null) return null;
  const link = target.closest<HTMLElement>('[data-drop]');
  if (link !== null) {
    const { drop: list = '', dropId: id = '' } = link.dataset;
    const isTaken = (first.entity === 'task' ? taskDrops : projectDrops).has(list);
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
  if (drop.kind === 'place') {
    putRows(store, dragged, drop.place);
    return;
  }
  const { list, id } = drop;
  const ids = dragged.map((ref) => ref.id);
  if (dragged[0]?.entity === 'task') taskDrops.get(list)?.(store.commands, ids, id);
  else for (const project of ids) projectDrops.get(list)?.(store.commands, project, id);
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
