import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { RoundBox } from '../components/round-box.tsx';
import { isNarrow } from '../frame/layout.ts';
import { cursor, returnFocusSoon, shownList } from '../list/list-state.ts';
import { openTaskMenu } from '../list/row-menu.ts';
import { writeBlock } from '../list/task-actions.ts';
import { MenuButton } from '../menu/menu-button.tsx';
import { closeTask, location } from '../router.ts';
import { backOffMilliseconds } from '../store/back-off.ts';
import { ReadFailure } from '../store/errors.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { Checklist } from './checklist.tsx';
import { DetailFoot } from './detail-foot.tsx';
import { DetailPath } from './detail-path.tsx';
import { GoneNote } from './gone-note.tsx';
import { NotesField } from './notes-field.tsx';
import { TaskProperties } from './task-properties.tsx';
import { TitleField } from './title-field.tsx';

/** The task of `?task=` next to its list; on phones a page. `messages`: strips that the panel covers. */
export function DetailPanel({ messages }: { messages: ComponentChildren }) {
  const store = useStore();
  const opened = location.value.task;
  const id = opened === null ? null : store.idOf(opened);
  const task = id === null ? undefined : store.rows.tasks.row(id).value;
  // Tasks closed long ago are not in the local copy, so it is fetched.
  const missing = useTexts(task === undefined ? id : null);
  const isOffline = store.connection.value === 'offline';
  const panel = useRef<HTMLElement>(null);
  const key = id === null ? null : store.keyOf(id);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      const closed = store.idOf(id ?? '');
      const isInList = shownList.peek()?.rows.some((row) => row.id === closed) === true;
      // It may have left the list and come back: another row has the cursor by now.
      if (location.peek().task === null && isInList) cursor.value = closed;
      returnFocusSoon(opener);
    };
  }, [key]);
  if (id === null) return null;
  const title = task?.title ?? words.task;
  // On phones it replaces the screen.
  const Panel = isNarrow.value ? 'main' : 'aside';
  return (
    <Panel ref={panel} class="detail" aria-label={title} tabIndex={-1}>
      {isNarrow.value && (
        <h1 class="vh" dir="auto">
          {title}
        </h1>
      )}
      {messages}
      <div class="bar">
        <button type="button" class="icon-btn only-phone" aria-label={words.back} onClick={closeTask}>
          <Icon name="back" />
        </button>
        {task === undefined ? <span class="grow" /> : <DetailPath task={task} />}
        {task !== undefined && <MenuButton label={words.more} items={() => openTaskMenu(store, task)} />}
        <button type="button" class="icon-btn hide-phone" aria-label={words.close} onClick={closeTask}>
          <Icon name="x" />
        </button>
      </div>
      {task === undefined ? (
        <div class="body">
          <p class="muted" role="status">
            {missing === 'read' && words.notFound}
            {missing === 'failed' && (isOffline ? words.taskOffline : words.taskNotRead)}
          </p>
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
  const { updatedAt } = task;
  const texts = useTexts(task.textsAt === updatedAt ? null : task.id, updatedAt);
  const notRead = store.connection.value === 'offline' ? words.textsOffline : words.textsNotRead;
  const hasTexts = task.checklist !== undefined;
  return (
    <>
      <div class="body">
        {task.inTrash && <GoneNote entity="task" id={task.id} />}
        <div class="d-title">
          <RoundBox
            status={task.status}
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
              id={task.id}
              description={task.description ?? ''}
              descriptionHtml={task.descriptionHtml ?? null}
              isWritable={isWritable}
              onSave={(...notes) => store.commands.patchTask(task.id, ...notes)}
            />
            <Checklist task={task} block={block} />
          </>
        ) : (
          <p class="sec-h" role="status">
            {texts === 'failed' ? notRead : words.loadingTexts}
          </p>
        )}
      </div>
      <DetailFoot task={task} />
    </>
  );

  function toggle({ id, status }: TaskRow): void {
    if (status === 'open') store.commands.complete(id);
    else store.commands.reopen(id);
  }
}

/** Fetches notes and checklist of this version of the task, with retries. */
function useTexts(id: string | null, version = ''): 'reading' | 'read' | 'failed' {
  const store = useStore();
  const [outcome, setOutcome] = useState<{ of: string; isRead: boolean } | null>(null);
  const isLoaded = store.isLoaded.value;
  const connection = store.connection.value;
  const key = `${id} ${version}`;
  useEffect(() => {
    if (id === null || !isLoaded) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const end = (failures: number) => {
      if (!isCurrent) return;
      setOutcome({ of: key, isRead: failures === 0 });
      // Retried when the connection is back.
      if (failures > 0 && connection !== 'offline')
        timer = setTimeout(() => read(failures), backOffMilliseconds(failures, null));
    };
    const read = (failures: number) => {
      store.loadTexts([id]).then(
        () => end(0),
        // A malformed id does not exist.
        (error: unknown) => end(error instanceof ReadFailure ? 0 : failures + 1),
      );
    };
    read(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, version, isLoaded, connection]);
  if (outcome?.of !== key) return 'reading';
  return outcome.isRead ? 'read' : 'failed';
}
