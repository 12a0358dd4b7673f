import { RoundBox } from '../components/round-box.tsx';
import { formatDay } from '../dates/format-day.ts';
import { writeBlock } from '../list/task-actions.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { closedOn } from '../store/views.ts';
import { detailWords } from '../words/detail-words.ts';
import { recordWords as words } from '../words/record-words.ts';
import { leaveRecord } from './record-keys.ts';
import { RecordLink } from './record-link.tsx';

/** A closed task that is not in the local copy. */
export function DoneRecord({ task, showsProject = true }: { task: TaskRow; showsProject?: boolean }) {
  const store = useStore();
  const project = store.rows.projects.row(task.projectId ?? '').value;
  const isDone = task.status === 'completed';
  const reopen = () => {
    leaveRecord('.c');
    store.adopt({ tasks: [task] });
    store.commands.reopen(task.id);
  };
  return (
    <li class="record is-done">
      <RoundBox
        status={task.status}
        label={isDone ? task.title : detailWords.cancelled(task.title)}
        disabledReason={writeBlock(store)}
        onToggle={reopen}
      />
      <RecordLink id={task.id} title={task.title} onOpen={() => store.adopt({ tasks: [task] })} />
      {task.dueDate !== null && task.dueDate !== closedOn(task, store.timeZone.value) && (
        <span class="m">{words.plannedFor(formatDay(task.dueDate, store.today.value))}</span>
      )}
      {showsProject && (
        <span class="side-note cut" dir="auto">
          {project?.title}
        </span>
      )}
    </li>
  );
}
