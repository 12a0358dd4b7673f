import { publicPath } from '../store/command-context.ts';
import { type PublicTask, toTaskRow } from '../store/public-rows.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { recordWords as words } from '../words/record-words.ts';
import { DoneRecord } from './done-record.tsx';
import { LoadMore, PageStates } from './page-states.tsx';
import { usePages } from './use-pages.ts';

type LogbookPage = { items: PublicTask[]; nextCursor: string | null };
type EarlierDoneProps = { projectId: string; shown: readonly string[] };

/** Closed tasks of a project that this browser does not hold, newest first. */
export function EarlierDone({ projectId, shown }: EarlierDoneProps) {
  const store = useStore();
  const list = usePages<LogbookPage, TaskRow>(
    `${publicPath}/projects/${projectId}/tasks?view=logbook&limit=50`,
    (page) => page.items.map((task) => toTaskRow(task)),
    store.actors.lastChange.value,
  );
  const known = new Set(shown);
  const isClosed = ({ id }: TaskRow) => (store.rows.tasks.row(id).value?.status ?? 'completed') !== 'open';
  const tasks = list.items.filter((task) => !known.has(task.id) && isClosed(task));
  const isFree = store.account.value?.plan === 'free';
  return (
    <>
      <ul class="records" aria-label={words.earlierDone}>
        {tasks.map((task) => (
          <DoneRecord key={task.id} task={task} showsProject={false} />
        ))}
      </ul>
      <PageStates list={list} isEmpty={false} empty={{ title: '' }} />
      <LoadMore list={list} label={words.showMore} />
      {isFree && list.state === 'ready' && list.loadMore === null && (
        <p class="end-note">{words.freeLogbook}</p>
      )}
    </>
  );
}
