import { type Signal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { closeOverlay } from '../overlays/overlay.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { messageWords } from '../words/message-words.ts';

type Part<Parts> = {
  /** Null until it is loaded. */
  present: Signal<Parts | null>;
  /** Rejects without a connection on a first visit; the next call tries again. */
  load(): Promise<Parts>;
};

function part<Parts>(importParts: () => Promise<Parts>): Part<Parts> {
  const present = signal<Parts | null>(null);
  const load = async () => {
    const parts = await importParts();
    // Loaded from the start without blocking, for no medium.
    document.getElementById('later-style')?.removeAttribute('media');
    present.value = parts;
    return parts;
  };
  return { present, load };
}

export const laterParts = part(() => import('./later-parts.tsx'));
export const recordParts = part(() => import('./record-parts.tsx'));

/** If a dialog cannot be loaded, the screen gets the keys back; typed text is kept. */
const say = ({ notices }: Store) => {
  closeOverlay();
  notices.toast(messageWords.notLoaded);
};
/** With the page's other parts, after its first rows. */
const afterRows = null;

/** A component of a part; shows nothing until it is loaded. */
function later<Parts, Props extends object>(
  { present, load }: Part<Parts>,
  componentOf: (parts: Parts) => ComponentType<Props>,
  onFailure: ((store: Store) => void) | typeof afterRows = say,
): ComponentType<Props> {
  return function Later(props: Props) {
    const store = useStore();
    useEffect(() => {
      if (onFailure !== afterRows) load().catch(() => onFailure(store));
    }, []);
    if (present.value === null) return null;
    const Component = componentOf(present.value);
    return <Component {...props} />;
  };
}

export const AnytimeScreen = later(laterParts, (parts) => parts.AnytimeScreen);
export const AskingStrips = later(laterParts, (parts) => parts.AskingStrips, afterRows);
export const AssistantStrip = later(laterParts, (parts) => parts.AssistantStrip, afterRows);
export const DetailPanel = later(laterParts, (parts) => parts.DetailPanel);
export const EntryChips = later(recordParts, (parts) => parts.EntryChips, afterRows);
export const MenuHost = later(laterParts, (parts) => parts.MenuHost, afterRows);
export const NothingHere = later(laterParts, (parts) => parts.NothingHere);
export const OpenOverlay = later(laterParts, (parts) => parts.OpenOverlay);
export const ProjectScreen = later(laterParts, (parts) => parts.ProjectScreen);
export const QuickAddFoot = later(laterParts, (parts) => parts.QuickAddFoot, afterRows);
export const RefusedLimitDialog = later(laterParts, (parts) => parts.RefusedLimitDialog, afterRows);
export const SelectionBar = later(laterParts, (parts) => parts.SelectionBar, afterRows);
export const SignedOutDialog = later(laterParts, (parts) => parts.SignedOutDialog);
export const UpcomingScreen = later(laterParts, (parts) => parts.UpcomingScreen);

export const ActivityScreen = later(recordParts, (parts) => parts.ActivityScreen);
export const AreaScreen = later(recordParts, (parts) => parts.AreaScreen);
export const ConnectionsScreen = later(recordParts, (parts) => parts.ConnectionsScreen);
export const EmptyToday = later(recordParts, (parts) => parts.EmptyToday, afterRows);
export const FirstRun = later(recordParts, (parts) => parts.FirstRun, afterRows);
export const HistoryDialog = later(recordParts, (parts) => parts.HistoryDialog);
export const LogbookScreen = later(recordParts, (parts) => parts.LogbookScreen);
export const ShortcutsHelp = later(recordParts, (parts) => parts.ShortcutsHelp);
export const TaskLink = later(recordParts, (parts) => parts.TaskLink);
export const TrashScreen = later(recordParts, (parts) => parts.TrashScreen);
export const VersionStrip = later(recordParts, (parts) => parts.VersionStrip, afterRows);
