import { RoundBox } from '../components/round-box.tsx';
import { todayIn } from '../dates/civil-date.ts';
import { formatDayHeading } from '../dates/format-time.ts';
import { openTask } from '../router.ts';
import { publicPath } from '../store/command-context.ts';
import { type PublicTask, toTaskRow } from '../store/public-rows.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { quickAddWords } from '../words/quick-add-words.ts';
import { recordWords as words } from '../words/record-words.ts';
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
      {[...days].map(([day, tasks]) => (
        <section key={day}>
          <h2 class="group-h">{formatDayHeading(day, store.today.value)}</h2>
          <ul class="records">
            {tasks.map((task) => (
              <LogbookRecord key={task.id} task={task} />
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

function LogbookRecord({ task }: { task: TaskRow }) {
  const store = useStore();
  const isWritable = store.connection.value !== 'suspended';
  const project = store.rows.projects.row(task.projectId ?? '').value;
  const isDone = task.status === 'completed';
  const reopen = () => {
    store.adopt({ tasks: [task] });
    if (isDone) store.commands.uncomplete(task.id);
    else store.commands.uncancel(task.id);
  };
  const open = () => {
    store.adopt({ tasks: [task] });
    openTask(task.id);
  };
  return (
    <li class="record is-done">
      <RoundBox
        state={isDone ? 'done' : 'cancelled'}
        label={words.reopen(task.title)}
        disabledReason={isWritable ? null : quickAddWords.suspended}
        onToggle={reopen}
      />
      <button type="button" class="t" dir="auto" onClick={open}>
        {task.title}
      </button>
      <span class="m">
        <span dir="auto">{project?.title}</span>
      </span>
    </li>
  );
}

function closedAt(task: TaskRow): string {
  return task.completedAt ?? task.cancelledAt ?? task.updatedAt;
}
