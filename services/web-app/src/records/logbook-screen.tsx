import { todayIn } from '../dates/civil-date.ts';
import { formatDayHeading } from '../dates/format-time.ts';
import { useStore } from '../store/store-context.ts';
import { recordWords as words } from '../words/record-words.ts';
import { ClosedProjects } from './closed-projects.tsx';
import { ClosedTasksEnd, closedAt, useClosedTasks } from './closed-tasks.tsx';
import { DoneRecord } from './done-record.tsx';
import { PageStates } from './page-states.tsx';

/** Closed tasks by the day on which they were closed. */
export function LogbookScreen() {
  const store = useStore();
  const { list, closed } = useClosedTasks();
  const zone = store.timeZone.value;
  const days = Map.groupBy(closed, (task) => todayIn(zone, new Date(closedAt(task))));
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
      <ClosedTasksEnd list={list} />
    </>
  );
}
