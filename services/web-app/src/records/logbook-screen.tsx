import { useState } from 'preact/hooks';
import { ProjectRing } from '../components/project-ring.tsx';
import { formatDay } from '../dates/format-day.ts';
import { formatDayHeading } from '../dates/format-time.ts';
import { hrefOf } from '../router.ts';
import { MoreButton, PageHead } from '../screens/page-head.tsx';
import { closedAt } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { closedOn } from '../store/views.ts';
import { projectWords } from '../words/project-words.ts';
import { recordWords as words } from '../words/record-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { ClosedTasksEnd, useClosedTasks } from './closed-tasks.tsx';
import { DoneRecord } from './done-record.tsx';
import { PageStates } from './page-states.tsx';

/** Closed tasks by the day on which they were closed. */
export function LogbookScreen() {
  const store = useStore();
  const { list, closed } = useClosedTasks();
  const days = Map.groupBy(closed, (task) => closedOn(task, store.timeZone.value) ?? '');
  return (
    <>
      <PageHead title={screenWords.logbook} />
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
      <PageStates list={list} empty={closed.length === 0 ? { title: words.logbookEmpty } : null} />
      <ClosedTasksEnd list={list} />
    </>
  );
}

/** All closed projects, newest closing first: no list shows those without an area. */
function ClosedProjects() {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const closed = store.rows.projects
    .all()
    .filter(({ status, inTrash }) => status !== 'active' && !inTrash)
    .sort((a, b) => (closedAt(b) ?? '').localeCompare(closedAt(a) ?? ''));
  if (closed.length === 0) return null;
  const label = projectWords.closedProjects;
  return (
    <>
      <MoreButton label={label} count={closed.length} isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen && (
        <ul class="records" aria-label={label}>
          {closed.map((project) => (
            <li key={store.keyOf(project.id)} class="record is-done">
              <ProjectRing share={1} />
              <a class="t cut" dir="auto" href={hrefOf({ screen: 'project', id: project.id })}>
                {project.title}
              </a>
              <time class="m">
                {formatDay(closedOn(project, store.timeZone.value) ?? '', store.today.value)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
