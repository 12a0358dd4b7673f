import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { openOverlay } from '../overlays/overlay.ts';
import { viewDate } from '../store/order.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { screenWords } from '../words/screen-words.ts';

/** The list of the task; pressing it moves the task. */
export function DetailPath({ task }: { task: TaskRow }) {
  const store = useStore();
  const project = store.rows.projects.row(task.projectId ?? '').value;
  const section = store.rows.sections.row(task.sectionId ?? '').value;
  const place = placeOf(task, project?.title);
  return (
    <WriteButton
      class="path"
      label={`${words.list}: ${[place, section?.title].filter(Boolean).join(' / ')}`}
      block={task.inTrash ? words.inTrash : null}
      onPress={() => openOverlay({ kind: 'move', ids: [task.id] })}
    >
      {project === undefined ? (
        <Icon
          name={task.list === 'inbox' ? 'inbox' : viewDate(task) === null ? 'someday' : 'upcoming'}
          small
        />
      ) : (
        <ProgressRing id={project.id} />
      )}
      <span class="cut" dir="auto">
        {place}
      </span>
      {section !== undefined && (
        <>
          <span>/</span>
          <span class="cut" dir="auto">
            {section.title}
          </span>
        </>
      )}
    </WriteButton>
  );
}

/** A dated task outside projects is «Planned», whatever its list. */
function placeOf(task: TaskRow, project: string | undefined): string {
  if (project !== undefined) return project;
  if (viewDate(task) !== null) return words.planned;
  return task.list === 'someday' ? screenWords.someday : screenWords.inbox;
}
