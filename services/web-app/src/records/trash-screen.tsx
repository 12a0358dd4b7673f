import { type AppTrashPage, appApiPath } from '#shared/app/app-protocol.ts';
import { ActorChip } from '../components/chip.tsx';
import { classNames } from '../components/class-names.ts';
import { ProjectRing } from '../components/project-ring.tsx';
import { StatusSign } from '../components/round-box.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { formatTime } from '../dates/format-time.ts';
import { PageHead } from '../screens/page-head.tsx';
import { useStore } from '../store/store-context.ts';
import { recordWords as words } from '../words/record-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { LoadMore, PageStates } from './page-states.tsx';
import { leaveRecord } from './record-keys.ts';
import { RecordLink } from './record-link.tsx';
import { usePages } from './use-pages.ts';

type TrashedProject = AppTrashPage['projects'][number];
type TrashedTask = AppTrashPage['tasks'][number];

/** Trashed projects with their tasks, and trashed tasks; each can be restored. */
export function TrashScreen() {
  const store = useStore();
  const list = usePages<AppTrashPage>(`${appApiPath}/trash`);
  const projects = list.pages.flatMap((page) => page.projects);
  const tasks = list.pages.flatMap((page) => page.tasks);
  // Just restored: its row says so.
  const inTrash = projects.filter(({ id }) => store.rows.projects.row(id).value?.inTrash !== false);
  const trashed = tasks.filter(({ id }) => store.rows.tasks.row(id).value?.inTrash !== false);
  return (
    <>
      <PageHead title={screenWords.trash} />
      <p class="lead">{words.trashHint}</p>
      {inTrash.length > 0 && (
        <section>
          <h2 class="group-h">
            {words.projects} {list.loadMore === null && <span class="n">{inTrash.length}</span>}
          </h2>
          <ul class="records">
            {inTrash.map((project) => (
              <ProjectRecord key={project.id} project={project} />
            ))}
          </ul>
        </section>
      )}
      {trashed.length > 0 && (
        <section>
          <h2 class="group-h">
            {words.tasks} {list.loadMore === null && <span class="n">{trashed.length}</span>}
          </h2>
          <ul class="records">
            {trashed.map((task) => (
              <TaskRecord
                key={task.id}
                task={task}
                trashedWith={projects.filter(({ id }) => id === task.projectId)}
              />
            ))}
          </ul>
        </section>
      )}
      <PageStates
        list={list}
        empty={
          inTrash.length + trashed.length === 0 && list.loadMore === null ? { title: words.trashEmpty } : null
        }
      />
      <LoadMore list={list} label={words.showMore} />
    </>
  );
}

function ProjectRecord({ project }: { project: TrashedProject }) {
  const store = useStore();
  return (
    <li class={project.taskCount > 0 ? 'record with-note' : 'record'}>
      <ProjectRing share={0} />
      <span class="t cut" dir="auto">
        {project.title}
      </span>
      {project.taskCount > 0 && <span class="side-note cut">{words.withTasks(project.taskCount)}</span>}
      <RestoreButton
        title={project.title}
        trashedAt={project.trashedAt}
        onRestore={() => {
          store.adopt({ projects: [project] });
          store.commands.restoreProject(project.id);
        }}
      />
    </li>
  );
}

type TaskRecordProps = {
  task: TrashedTask;
  /** Its project, if that is in the Trash, too. */
  trashedWith: TrashedProject[];
};

function TaskRecord({ task, trashedWith }: TaskRecordProps) {
  const store = useStore();
  const actor = store.actors.of('task', task.id);
  const project = store.rows.projects.row(task.projectId ?? '').value;
  const closed = { completed: words.wasDone, cancelled: words.wasCancelled, open: null }[task.status];
  const place = project === undefined || project.inTrash ? null : words.backTo(project.title);
  const note = closed ?? place;
  const adopt = () => store.adopt({ tasks: [task], projects: trashedWith });
  return (
    <li class={classNames('record', task.status !== 'open' && 'is-done', note !== null && 'with-note')}>
      <StatusSign status={task.status} />
      <RecordLink id={task.id} title={task.title} onOpen={adopt} />
      {actor !== null && <ActorChip actor={actor} />}
      {note !== null && (
        <span class="side-note cut" dir="auto">
          {note}
        </span>
      )}
      <RestoreButton
        title={task.title}
        trashedAt={task.trashedAt}
        onRestore={() => {
          adopt();
          store.commands.restore(task.id);
        }}
      />
    </li>
  );
}

type RestoreButtonProps = { title: string; trashedAt: string; onRestore: () => void };

function RestoreButton({ title, trashedAt, onRestore }: RestoreButtonProps) {
  const restore = () => {
    leaveRecord('.btn');
    onRestore();
  };
  return (
    <span class="m">
      <time dateTime={trashedAt}>{formatTime(trashedAt, useStore())}</time>
      <WriteButton
        class="btn text"
        text={words.restore}
        label={words.restoreNamed(title)}
        onPress={restore}
      />
    </span>
  );
}
