import { todayIn } from '../dates/civil-date.ts';
import { formatDayHeading } from '../dates/format-time.ts';
import { publicPath } from '../store/command-context.ts';
import { type PublicTask, toTaskRow } from '../store/public-rows.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { recordWords as words } from '../words/record-words.ts';
import { ClosedProjects } from './closed-projects.tsx';
import { DoneRecord } from './done-record.tsx';
import { LoadMore, PageStates } from './page-states.tsx';
import { usePages } from './use-pages.ts';

type LogbookPage = { items: PublicTask[]; nextCursor: string | null };

/** Closed tasks by the day on which they were closed, from the public API. */
export function LogbookScreen() {
  const store = useStore();
  const list = usePages<LogbookPage, TaskRow>(
    `${publicPath}/tasks?view=logbook&limit=50`,
    (page) => page.items.map((task) => toTaskRow(task)),
    store.actors.lastChange.value,
  );
  const zone = store.timeZone.value;
  const closed = list.items.filter(
    ({ id }) => (store.rows.tasks.row(id).value?.status ?? 'completed') !== 'open',
  );
  const days = Map.groupBy(closed, (task) => todayIn(zone, new Date(closedAt(task))));
  const isFree = store.account.value?.plan === 'free';
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{words.logbook}</h1>
      </div>
      <ClosedProjects />
      {[...days].map(([day, tasks]) => (
        <section key={day}>
          <h2 class="group-h">{formatDayHeading(day, store.today.value)}</h2>
          <ul class="records">
            {tasks.map((task) => (
              <DoneRecord key={task.id} task={task} />
            ))}
          </ul>
        </section>
      ))}
      <PageStates list={list} isEmpty={closed.length === 0} empty={{ title: words.logbookEmpty }} />
      <LoadMore list={list} label={words.showMore} />
      {isFree && list.state === 'ready' && list.loadMore === null && (
        <p class="end-note">{words.freeLogbook}</p>
      )}
    </>
  );
}

function closedAt(task: TaskRow): string {
  return task.completedAt ?? task.cancelledAt ?? task.updatedAt;
}
