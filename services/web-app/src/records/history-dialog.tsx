import type { ActivityEntry, ActivityPage, AppEntity } from '#shared/app/app-protocol.ts';
import { appApiPath } from '#shared/app/app-protocol.ts';
import { Icon } from '../components/icon.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { useStore } from '../store/store-context.ts';
import { activityWords } from '../words/activity-words.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { EntryList, useUndo } from './activity-screen.tsx';
import { LoadMore, PageStates } from './page-states.tsx';
import { usePages } from './use-pages.ts';

/** What happened to one task or project, newest first. */
export function HistoryDialog({ entity, id, title }: { entity: AppEntity; id: string; title: string }) {
  const store = useStore();
  const query = new URLSearchParams({ entity, id: store.idOf(id) });
  const list = usePages<ActivityPage, ActivityEntry>(
    `${appApiPath}/activity?${query}`,
    (page) => page.entries,
    store.actors.lastChange.value,
  );
  const undoing = useUndo(list.reload);
  return (
    <Dialog label={words.historyOf(title)} onClose={closeOverlay}>
      <div class="sheet-head">
        <h2 dir="auto">{words.historyOf(title)}</h2>
        <button type="button" class="icon-btn" aria-label={words.close} onClick={closeOverlay}>
          <Icon name="x" />
        </button>
      </div>
      <div class="sheet-body history">
        <EntryList entries={list.items} undoing={undoing} />
        <PageStates list={list} empty={{ title: activityWords.empty }} />
        <LoadMore list={list} label={activityWords.showMore} />
      </div>
    </Dialog>
  );
}
