import { trashProject } from '../frame/list-menus.ts';
import { type ListGroup, projectRefs, type RowRef } from '../list/list-group.ts';
import { groupOf, shownList } from '../list/list-state.ts';
import { ordersProjects, putRows, type Reordered } from '../list/reorder.ts';
import type { Store } from '../store/store.ts';

/** The action of a drop, and the element that indicates it. */
export type Drop = {
  element: HTMLElement;
  /** Next to the element, or into it. */
  edge: 'above' | 'below' | 'whole';
  perform: () => void;
};

type Commands = Store['commands'];

/** Actions for tasks dropped on lists of the sidebar; other lists refuse them. */
const taskDrops = new Map<string, (commands: Commands, ids: readonly string[], listId: string) => void>([
  ['inbox', (commands, ids) => commands.moveTask(ids, { list: 'inbox' })],
  ['today', (commands, ids) => commands.planToday(ids)],
  ['someday', (commands, ids) => commands.someday(ids)],
  ['anytime', (commands, ids) => commands.noDate(ids)],
  ['trash', (commands, ids) => commands.trash(ids)],
  ['project', (commands, ids, projectId) => commands.moveTask(ids, { projectId, sectionId: null })],
]);

/** `reordered`: message for tasks that stay in their group. */
export function dropAt(
  store: Store,
  x: number,
  y: number,
  lifted: readonly RowRef[],
  reordered?: Reordered,
): Drop | null {
  // The server's ids may have come meanwhile.
  const dragged = lifted.map((ref) => ({ ...ref, id: store.idOf(ref.id) }));
  const [first] = dragged;
  const target = document.elementFromPoint(x, y);
  if (first === undefined || target === null) return null;
  const list = target.closest<HTMLElement>('[data-drop]');
  if (list !== null) {
    return first.entity === 'project'
      ? projectOnList(store, list, y, first.id)
      : tasksOnList(store, list, dragged);
  }
  const row = target.closest<HTMLElement>('[data-row]');
  if (row !== null) return besideRow(store, row, y, dragged, reordered);
  const heading = target.closest<HTMLElement>('[data-group]');
  const group = shownList.value?.groups.find(({ key }) => key === heading?.dataset.group);
  if (heading === null || group === undefined || !takes(group, first)) return null;
  const perform = () => putRows(store, dragged, group, null, reordered);
  return { element: heading, edge: 'whole', perform };
}

function tasksOnList({ commands }: Store, element: HTMLElement, tasks: readonly RowRef[]): Drop | null {
  const { drop: list = '', dropId: id = '' } = element.dataset;
  const run = taskDrops.get(list);
  if (run === undefined) return null;
  const ids = tasks.map((ref) => ref.id);
  return { element, edge: 'whole', perform: () => run(commands, ids, id) };
}

/** Drops a project next to another one, into an area (first), or into the Trash. */
function projectOnList(store: Store, element: HTMLElement, y: number, project: string): Drop | null {
  const { commands } = store;
  const { drop: list = '', dropId: id = '' } = element.dataset;
  if (list === 'trash') return { element, edge: 'whole', perform: () => trashProject(store, project) };
  if (list === 'area') {
    return { element, edge: 'whole', perform: () => commands.positionProject(project, null, id) };
  }
  const other = list === 'project' ? store.rows.projects.find(id) : undefined;
  if (other === undefined) return null;
  const rows = projectRefs(store.views.area(other.areaId).value.open);
  const { edge, after } = placeBeside(rows, element, id, y, new Set([project]));
  const perform = () => commands.positionProject(project, after, other.areaId);
  return { element, edge, perform };
}

function takes(group: ListGroup, ref: RowRef): boolean {
  if (ref.entity === 'task') return group.place !== undefined;
  return ordersProjects(group) && group.rows.some((row) => row.id === ref.id);
}

function besideRow(
  store: Store,
  element: HTMLElement,
  y: number,
  dragged: readonly RowRef[],
  reordered: Reordered | undefined,
): Drop | null {
  const id = element.dataset.row ?? '';
  const group = groupOf(id);
  const [first] = dragged;
  if (group === undefined || first === undefined || !takes(group, first)) return null;
  const { edge, after } = placeBeside(group.rows, element, id, y, new Set(dragged.map((ref) => ref.id)));
  return { element, edge, perform: () => putRows(store, dragged, group, after, reordered) };
}

/** The half of the row under the pointer, and the preceding row that is not dragged. */
function placeBeside(
  rows: readonly RowRef[],
  element: HTMLElement,
  id: string,
  y: number,
  going: ReadonlySet<string>,
): { edge: 'above' | 'below'; after: string | null } {
  const { top, height } = element.getBoundingClientRect();
  const edge = y < top + height / 2 ? 'above' : 'below';
  const index = rows.findIndex((row) => row.id === id);
  const before = rows.slice(0, edge === 'above' ? index : index + 1);
  return { edge, after: before.findLast((row) => !going.has(row.id))?.id ?? null };
}

const line = document.createElement('div');
line.className = 'drop-line';
let marked: HTMLElement | null = null;

/** Shows a line of 2 px between rows, or marks a heading or list as a whole. */
export function showDrop(drop: Drop | null): void {
  marked?.classList.remove('drop-on');
  marked = null;
  line.remove();
  if (drop === null) return;
  if (drop.edge === 'whole') {
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
