import { writeBlock } from '../list/task-actions.ts';
import { announce } from '../live/announce.tsx';
import type { MenuItem } from '../menu/menu-state.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { location, navigate } from '../router.ts';
import { sectionsOf } from '../store/project-view.ts';
import type { AreaRow, ProjectRow, SectionRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { actionLabels as labels } from '../words/key-words.ts';
import { placeWords } from '../words/place-words.ts';
import { projectWords as words } from '../words/project-words.ts';
import { screenWords } from '../words/screen-words.ts';

type Action = Exclude<MenuItem, 'line'>;

const guarded = (store: Store, items: readonly (Action | 'line')[]): MenuItem[] => {
  const disabledReason = writeBlock(store);
  return items.map((item) => (item === 'line' ? item : { ...item, disabledReason }));
};

export function projectMenu(store: Store, project: ProjectRow, rename: () => void): MenuItem[] {
  const { id } = project;
  const siblings = store.views.area(project.areaId).value.open;
  const isActive = project.status === 'active';
  return guarded(store, [
    { label: labels.rename, icon: 'pen', run: rename },
    { label: labels.deadline, icon: 'flag', run: () => openOverlay({ kind: 'projectDeadline', id }) },
    { label: words.moveToArea, icon: 'list', run: () => openOverlay({ kind: 'area', id }) },
    ...moves(siblings, project, (after) => store.commands.positionProject(id, after)),
    'line',
    isActive
      ? { label: labels.complete, icon: 'check', run: () => askToComplete(store, id) }
      : { label: words.reopen, icon: 'undo', run: () => store.commands.uncompleteProject(id) },
    { label: labels.trash, icon: 'trash', run: () => trashProject(store, id) },
  ]);
}

/** `asked`, here and below, may be a temporary id: the menu was open before the server's came. */
export function askToComplete(store: Store, asked: string): void {
  const id = store.idOf(asked);
  if (store.views.progress(id).value.open === 0) store.commands.completeProject(id, 'complete', []);
  else openOverlay({ kind: 'completion', id });
}

export function areaMenu(
  store: Store,
  area: AreaRow,
  rename: () => void,
  addProject: () => void,
): MenuItem[] {
  const siblings = store.views.areas.value;
  return guarded(store, [
    { label: labels.rename, icon: 'pen', run: rename },
    { label: screenWords.newProject, icon: 'plus', run: addProject },
    ...moves(siblings, area, (after) => store.commands.positionArea(area.id, after)),
    'line',
    { label: words.remove, icon: 'trash', run: () => deleteArea(store, area.id) },
  ]);
}

export function sectionMenu(store: Store, section: SectionRow, rename: () => void): MenuItem[] {
  const { id, projectId } = section;
  const siblings = sectionsOf(store.rows.sections.all(), projectId);
  const list = { place: { projectId, sectionId: id }, dueDate: null, isSomeday: false, below: null };
  return guarded(store, [
    { label: labels.add, icon: 'plus', run: () => openOverlay({ kind: 'quick-add', list }) },
    { label: labels.rename, icon: 'pen', run: rename },
    ...moves(siblings, section, (after) => store.commands.positionSection(id, after)),
    'line',
    { label: words.remove, icon: 'trash', run: () => store.commands.deleteSection(id) },
  ]);
}

type Titled = { id: string; title: string };

/** Menu items that move by one place among `ids` and announce the new place. */
function moves(ids: readonly string[], { id, title }: Titled, put: (after: string | null) => void): Action[] {
  const place = ids.indexOf(id);
  const actions: Action[] = [];
  const move = (after: string | null, to: number) => () => {
    put(after);
    announce(placeWords.movedTo(title, to + 1, ids.length));
  };
  if (place > 0)
    actions.push({ label: labels.moveUp, icon: 'up', run: move(ids[place - 2] ?? null, place - 1) });
  const next = ids[place + 1];
  if (next !== undefined) actions.push({ label: labels.moveDown, icon: 'down', run: move(next, place + 1) });
  return actions;
}

export function trashProject(store: Store, asked: string): void {
  const id = store.idOf(asked);
  store.commands.trashProject(id);
  leaveScreen(store, id);
}

function deleteArea(store: Store, asked: string): void {
  const id = store.idOf(asked);
  store.commands.deleteArea(id);
  leaveScreen(store, id);
}

/** Leaves the screen of a deleted list for Today. */
function leaveScreen(store: Store, id: string): void {
  const { route } = location.value;
  if ('id' in route && store.idOf(route.id) === id) navigate({ screen: 'today' });
}
