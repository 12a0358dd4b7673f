import { takeForeignDrops } from '../drag/foreign-drops.ts';
import { startDragging } from '../drag/row-drag.ts';
import { followPrinting } from '../frame/follow-printing.ts';
import { stayOffline } from '../frame/stay-offline.ts';
import { keepFocus } from '../keys/keep-focus.ts';
import { followRowEvents } from '../list/row-events.ts';
import { followVersions } from '../messages/version-strip.tsx';
import { followOpenedReminders } from '../reminders/opened-reminders.ts';
import type { Store } from '../store/store.ts';
import { followPulls } from '../touch/pull-to-search.ts';
import { followGestures } from '../touch/row-gestures.ts';
import { followHandles } from '../touch/row-handles.ts';
import { keepIds } from './keep-ids.ts';

/** Event listeners of the page. Each drag and gesture has an alternative by key and menu. */
export function followPage(store: Store, signal: AbortSignal): void {
  followVersions(store, signal);
  followGestures(store, signal);
  followHandles(store, signal);
  followPulls(signal);
  startDragging(store, signal);
  takeForeignDrops(signal);
  followRowEvents(store, signal);
  keepIds(store, signal);
  keepFocus(signal);
  stayOffline(store, signal);
  followOpenedReminders(signal);
  followPrinting(signal);
}
