import { closeOverlay } from '../overlays/overlay.ts';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import { useStore } from '../store/store-context.ts';
import { activityWords } from '../words/activity-words.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { EntryList, useUndo } from './activity-screen.tsx';
import { LoadMore, PageStates } from './page-states.tsx';
import { useActivity } from './use-activity.ts';

/** What happened to a task, newest first. */
export function HistoryDialog({ id, title }: { id: string; title: string }) {
  const { list, entries } = useActivity({ entity: 'task', id: useStore().idOf(id) });
  const undoing = useUndo(list.reload);
  return (
    <TitledDialog label={words.historyOf(title)} onClose={closeOverlay} hasClose>
      <div class="history">
        <EntryList entries={entries} undoing={undoing} />
        <PageStates list={list} empty={entries.length === 0 ? { title: activityWords.empty } : null} />
        <LoadMore list={list} label={activityWords.showMore} />
        {list.state === 'ready' && list.loadMore === null && <p class="end-note">{activityWords.keptDays}</p>}
      </div>
    </TitledDialog>
  );
}
