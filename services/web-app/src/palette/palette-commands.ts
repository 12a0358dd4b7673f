import type { IconName } from '../components/icon.tsx';
import type { ActionName } from '../keys/key-map.ts';
import { canWriteOrToast, repeats, taskActionNames, taskActions } from '../list/task-actions.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf, navigate, type Screen } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';

type Command = { action: ActionName | 'settings'; icon: IconName; run: () => void };

const go = (screen: Screen) => () => navigate(hrefOf({ screen }));

/** What can be done with the open task. */
export function taskCommands(store: Store, task: TaskRow): Command[] {
  return taskActionNames
    .filter((action) => action !== 'skip' || repeats(task))
    .map((action) => {
      const { icon, run } = taskActions[action];
      return { action, icon, run: () => void (canWriteOrToast(store) && run(store, [task.id])) };
    });
}

/** What can be done anywhere. */
export function screenCommands(): Command[] {
  return [
    { action: 'add', icon: 'plus', run: () => openOverlay({ kind: 'quick-add', text: '', list: null }) },
    { action: 'goToday', icon: 'today', run: go('today') },
    { action: 'goUpcoming', icon: 'upcoming', run: go('upcoming') },
    { action: 'goInbox', icon: 'inbox', run: go('inbox') },
    { action: 'goAnytime', icon: 'anytime', run: go('anytime') },
    { action: 'goSomeday', icon: 'someday', run: go('someday') },
    { action: 'goActivity', icon: 'activity', run: go('activity') },
    { action: 'goAssistants', icon: 'bot', run: go('assistants') },
    { action: 'goLogbook', icon: 'logbook', run: go('logbook') },
    { action: 'goTrash', icon: 'trash', run: go('trash') },
    { action: 'keys', icon: 'list', run: () => openOverlay({ kind: 'keys' }) },
    { action: 'settings', icon: 'gear', run: () => window.location.assign('/settings') },
  ];
}
