import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { RoundBox } from '../components/round-box.tsx';
import { isNarrow } from '../frame/narrow-window.ts';
import { writeBlock } from '../list/task-actions.ts';
import { closeTask, location } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { Checklist } from './checklist.tsx';
import { DetailFoot } from './detail-foot.tsx';
import { DetailPath } from './detail-path.tsx';
import { GoneNote } from './gone-note.tsx';
import { NotesField } from './notes-field.tsx';
import { TaskMenu } from './task-menu.tsx';
import { TaskProperties } from './task-properties.tsx';
import { TitleField } from './title-field.tsx';

/** The task of `?task=` beside its list; on phones a page. Nothing where none is open. */
export function DetailPanel() {
  const store = useStore();
  const opened = location.value.task;
  const id = opened === null ? null : store.idOf(opened);
  const task = id === null ? undefined : store.rows.tasks.row(id).value;
  const isNowhere = useMissingTask(task === undefined ? id : null);
  const panel = useRef<HTMLElement>(null);
  const key = id === null ? null : store.keyOf(id);
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), [key]);
  if (id === null) return null;
  // On phones it takes the place of the screen.
  const Panel = isNarrow.value ? 'main' : 'aside';
  return (
    <Panel ref={panel} class="detail" aria-label={words.task} tabIndex={-1}>
      {isNarrow.value && (
        <h1 class="vh" dir="auto">
          {task?.title ?? words.task}
        </h1>
      )}
      <div class="bar">
        <button type="button" class="icon-btn only-phone" aria-label={words.back} onClick={closeTask}>
          <Icon name="back" />
        </button>
        {task !== undefined && <DetailPath task={task} />}
        {task !== undefined && <TaskMenu task={task} />}
        <button type="button" class="icon-btn hide-phone" aria-label={words.close} onClick={closeTask}>
          <Icon name="x" />
        </button>
      </div>
      {task === undefined ? (
        <div class="body">
          {isNowhere && (
            <p class="muted">{store.connection.value === 'offline' ? words.taskOffline : words.notFound}</p>
          )}
        </div>
      ) : (
        <TaskDetail key={key} task={task} />
      )}
    </Panel>
  );
}

function TaskDetail({ task }: { task: TaskRow }) {
  const store = useStore();
  const block = task.inTrash ? words.inTrash : writeBlock(store);
  const isWritable = block === null;
  const isOffline = useTexts(task);
  const hasTexts = task.checklist !== undefined;
  return (
    <>
      <div class="body">
        {task.inTrash && (
          <GoneNote entity="task" id={task.id} onRestore={() => store.commands.restore(task.id)} />
        )}
        <div class="d-title">
          <RoundBox
            state={task.status === 'open' ? 'open' : task.status === 'completed' ? 'done' : 'cancelled'}
            label={task.status === 'cancelled' ? words.cancelled(task.title) : task.title}
            disabledReason={block}
            onToggle={() => toggle(task)}
          />
          <TitleField
            title={task.title}
            isWritable={isWritable}
            onSave={(title) => store.commands.patchTask(task.id, { title })}
          />
        </div>
        <TaskProperties task={task} block={block} />
        {hasTexts ? (
          <>
            <NotesField
              description={task.description ?? ''}
              descriptionHtml={task.descriptionHtml}
              conflict={store.notices.notesConflicts.value.find(({ taskId }) => taskId === task.id)}
              isWritable={isWritable}
              onSave={(text, base) =>
                store.commands.patchTask(
                  task.id,
                  { description: text === '' ? null : text },
                  { description: base },
                )
              }
              onResolve={(keep) => store.resolveNotes(task.id, keep)}
            />
            <Checklist task={task} block={block} />
          </>
        ) : (
          <p class="sec-h" role="status">
            {isOffline ? words.textsOffline : words.loadingTexts}
          </p>
        )}
      </div>
      <DetailFoot entity="task" id={task.id} title={task.title} createdAt={task.createdAt} />
    </>
  );

  function toggle({ id, status }: TaskRow): void {
    if (status === 'open') store.commands.complete(id);
    else if (status === 'completed') store.commands.uncomplete(id);
    else store.commands.uncancel(id);
  }
}

/** Lists hold no task that was closed long ago: it is fetched. Returns whether there is none with the id. */
function useMissingTask(id: string | null): boolean {
  const store = useStore();
  const [absent, setAbsent] = useState<string | null>(null);
  const isLoaded = store.isLoaded.value;
  const connection = store.connection.value;
  useEffect(() => {
    if (id === null || !isLoaded) return;
    const end = () => setAbsent(id);
    store.loadTexts([id]).then(end, end);
  }, [id, isLoaded, connection]);
  return id !== null && absent === id;
}

/** Fetches notes and checklist when they are missing or older than the row. Returns whether that has failed. */
function useTexts(task: TaskRow): boolean {
  const store = useStore();
  const [isOffline, setOffline] = useState(false);
  const isStale = task.textsAt !== task.updatedAt;
  const connection = store.connection.value;
  useEffect(() => {
    if (!isStale) return;
    store.loadTexts([task.id]).then(
      () => setOffline(false),
      () => setOffline(true),
    );
  }, [task.id, task.updatedAt, isStale, connection]);
  return isOffline;
}
