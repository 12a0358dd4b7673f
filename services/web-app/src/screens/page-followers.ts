import { startDragging } from '../drag/row-drag.ts';
import { stayOffline } from '../frame/stay-offline.ts';
import { followRowEvents } from '../list/row-events.ts';
import { followVersions } from '../messages/version-strip.tsx';
import { followOpenedReminders } from '../reminders/opened-reminders.ts';
import type { Store } from '../store/store.ts';
import { followPulls } from '../touch/pull-to-search.ts';
import { followGestures } from '../touch/row-gestures.ts';
import { followHandles } from '../touch/row-handles.ts';
import { keepAddress } from './keep-address.ts';

/** What follows events of the whole page. Each drag and gesture has a key and a place in the row's menu as well. */
export function followPage(store: Store): () => void {
  const stops = [
    followVersions(store),
    followGestures(store),
    followHandles(store),
    followPulls(),
    startDragging(store),
    followRowEvents(store),
    keepAddress(store),
    stayOffline(store),
    followOpenedReminders(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
