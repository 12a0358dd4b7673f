import { type IconName, iconOf } from '../components/icon.tsx';
import { addDays } from '../dates/civil-date.ts';
import { askForName, nameNewList } from '../frame/new-list.ts';
import { leaveFor } from '../frame/stay-offline.ts';
import { type ActionName, goAction, goScreens } from '../keys/key-map.ts';
import { actionAsShown } from '../list/action-as-shown.ts';
import { duplicate } from '../list/duplicate.ts';
import { cursorRow, selected, selectedInOrder } from '../list/list-state.ts';
import { canWriteOrToast, repeats, taskActionNames, taskActions } from '../list/task-actions.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { location, navigate } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { detailWords } from '../words/detail-words.ts';
import { actionLabels } from '../words/key-words.ts';
import { paletteWords as words } from '../words/palette-words.ts';
import { projectWords } from '../words/project-words.ts';
import { screenWords } from '../words/screen-words.ts';

/** `also`: further search words. */
export type Command = {
  title: string;
  icon: IconName;
  run: () => void;
  action?: ActionName;
  also?: string | undefined;
};

export type CommandTargets = { tasks: readonly TaskRow[]; isChosen: boolean };

/** The tasks that commands act on: the selection, otherwise the open task or the row at the cursor. */
export function commandTargets(store: Store): CommandTargets {
  const opened = location.value.task;
  const isSelecting = selected.value.size > 0;
  const ids = isSelecting ? selectedInOrder() : [opened ?? cursorRow()?.id ?? ''];
  const tasks = ids.flatMap((id) => store.rows.tasks.find(id) ?? []);
  return { tasks: tasks.filter(({ inTrash }) => !inTrash), isChosen: isSelecting || opened !== null };
}

export function taskCommands(store: Store, tasks: readonly TaskRow[]): Command[] {
  const ids = tasks.map(({ id }) => store.idOf(id));
  const guarded = (run: () => void) => () => void (canWriteOrToast(store) && run());
  const tomorrow = addDays(store.today.value, 1);
  const commands = taskActionNames
    .filter((action) => action !== 'skip' || tasks.some(repeats))
    .map((action): Command => {
      const run = guarded(actionAsShown(store, action, tasks));
      return { action, title: actionLabels[action], icon: taskActions[action].icon, run };
    });
  const plan = guarded(() => store.commands.plan(ids, tomorrow));
  const [id, ...others] = ids;
  const copy = guarded(() => void duplicate(store, id ?? '').catch(reportError));
  return [
    ...commands,
    { title: words.planTomorrow, icon: 'upcoming', run: plan },
    ...(others.length > 0 ? [] : [{ title: detailWords.duplicate, icon: 'plus', run: copy } as const]),
  ];
}

export function screenCommands(store: Store): Command[] {
  const action = (name: ActionName, icon: IconName, run: () => void): Command => ({
    action: name,
    title: actionLabels[name],
    icon,
    run,
  });
  const name = (title: string, show: () => void): Command => ({
    title,
    icon: 'plus',
    run: () => void (canWriteOrToast(store) && show()),
  });
  const settings = words.settingsPages.map(
    ([title = '', page, also]): Command => ({
      title,
      icon: 'gear',
      run: () => void leaveFor(store, `/settings${page}`, words.settings),
      also,
    }),
  );
  const { route } = location.value;
  const project = route.screen === 'project' ? store.rows.projects.row(route.id).value : undefined;
  const area = route.screen === 'area' ? route.id : (project?.areaId ?? null);
  return [
    action('add', 'plus', () => openOverlay({ kind: 'quick-add' })),
    action('undo', 'undo', () => void (canWriteOrToast(store) && store.undo())),
    action('redo', 'repeat', () => void (canWriteOrToast(store) && store.redo())),
    ...goScreens.map((screen) => action(goAction(screen), iconOf(screen), () => navigate({ screen }))),
    name(screenWords.newProject, () => nameNewList('project', area)),
    name(screenWords.newArea, () => nameNewList('area')),
    ...(project?.status === 'active'
      ? [name(projectWords.newSection, () => askForName({ kind: 'section', projectId: project.id }))]
      : []),
    { ...action('keys', 'list', () => openOverlay({ kind: 'keys' })), also: words.keysAlso },
    ...settings,
  ];
}
