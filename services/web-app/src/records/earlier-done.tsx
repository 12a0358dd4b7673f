import { recordWords as words } from '../words/record-words.ts';
import { ClosedTasksEnd, useClosedTasks } from './closed-tasks.tsx';
import { DoneRecord } from './done-record.tsx';
import { PageStates } from './page-states.tsx';

type EarlierDoneProps = { projectId: string; shown: readonly string[] };

/** Closed tasks of a project that are not in the local copy, newest first. */
export function EarlierDone({ projectId, shown }: EarlierDoneProps) {
  const { list, closed } = useClosedTasks(projectId);
  const known = new Set(shown);
  return (
    <>
      <ul class="records" aria-label={words.earlierDone}>
        {closed
          .filter(({ id }) => !known.has(id))
          .map((task) => (
            <DoneRecord key={task.id} task={task} showsProject={false} />
          ))}
      </ul>
      <PageStates list={list} empty={null} />
      <ClosedTasksEnd list={list} />
    </>
  );
}
