import type { IconName } from '../components/icon.tsx';
import type { ActionName } from '../keys/key-map.ts';
import { canWriteOrToast } from '../list/task-actions.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf, navigate, type Screen } from '../router.ts';
import type { Store } from '../store/store.ts';

type Command = { action: ActionName | 'settings'; icon: IconName; run: () => void };

const go = (screen: Screen) => () => navigate(hrefOf({ screen }));

/** What can be done with the open task. */
export function taskCommands(store: Store, id: string): Command[] {
  const { commands } = store;
  const ids = [id];
  const all: Command[] = [
    { action: 'plan', icon: 'upcoming', run: () => openOverlay({ kind: 'plan', ids }) },
    { action: 'today', icon: 'today', run: () => commands.planToday(ids) },
    { action: 'complete', icon: 'check', run: () => commands.complete(ids) },
    { action: 'move', icon: 'list', run: () => openOverlay({ kind: 'move', ids }) },
    { action: 'deadline', icon: 'flag', run: () => openOverlay({ kind: 'deadline', ids }) },
    { action: 'repeat', icon: 'repeat', run: () => openOverlay({ kind: 'repeat', ids }) },
    { action: 'someday', icon: 'someday', run: () => commands.someday(ids) },
    { action: 'noDate', icon: 'x', run: () => commands.noDate(ids) },
    { action: 'cancel', icon: 'x', run: () => commands.cancel(ids) },
    { action: 'trash', icon: 'trash', run: () => commands.trash(ids) },
  ];
  return all.map(({ run, ...command }) => ({
    ...command,
    run: () => void (canWriteOrToast(store) && run()),
  }));
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
