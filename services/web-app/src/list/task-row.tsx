import { classNames } from '../components/class-names.ts';
import { RoundBox } from '../components/round-box.tsx';
import { shortWeekday } from '../dates/format-day.ts';
import { MenuButton } from '../menu/menu-button.tsx';
import { viewDate } from '../store/order.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { cell } from './cell.ts';
import type { ProjectRowProps } from './project-row.tsx';
import { datesOfRow, hasSecondLine } from './row-facts.ts';
import { rowDates, rowMarks } from './row-marks.tsx';
import { rowTitle } from './row-title.tsx';
import { toggleDone, writeBlock } from './task-actions.ts';

type RowProps = ProjectRowProps & { isSelected: boolean; isOpen: boolean; isRenaming: boolean };

export function TaskRow(props: RowProps) {
  const { id, style, isSelected, isRenaming } = props;
  const store = useStore();
  const actor = store.actors.of('task', id);
  const task = store.rows.tasks.row(id).value;
  const projectTitle = store.rows.projects.row(task?.projectId ?? '').value?.title ?? null;
  if (task === undefined) return null;
  const project = style.project ? projectTitle : null;
  const isWaiting = store.connection.value === 'offline' && store.waiting.value.has(`task:${id}`);
  // In a virtual list the height of a row must not depend on temporary marks.
  const hasPassingMark = props.top === undefined && (actor !== null || isWaiting);
  const isTwo = hasSecondLine(task, style) || hasPassingMark;
  const isDone = task.status !== 'open';
  const lingers = store.lingering.value.has(id);
  // A task that was reopened meanwhile stays.
  const isFolding = lingers && isDone && store.isFolding.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    <div
      role="row"
      class={rowClass(props, { isTwo, isDone, isFolding, isNew: actor !== null })}
      data-row={id}
      aria-rowindex={props.rowIndex}
      aria-selected={isSelected}
      aria-labelledby={`row-${id}`}
      aria-description={listWords.closed[task.status]}
      tabIndex={props.isCursor ? 0 : -1}
      style={props.top === undefined ? undefined : { transform: `translateY(${props.top}px)` }}
    >
      <span {...cell} class="cell">
        <RoundBox
          status={task.status}
          label={task.title}
          just={lingers}
          tabIndex={-1}
          disabledReason={writeBlock(store)}
          onToggle={() => toggleDone(store, [id])}
        />
      </span>
      {style.date === 'column' && (
        <span {...cell} class="on-date">
          {columnDay(viewDate(task) ?? '')}
        </span>
      )}
      <div role="none" id={`row-${id}`} class="row-text grow">
        {rowTitle(task.title, isRenaming, (title) => store.commands.patchTask(id, { title }))}
        {rowMarks({ task, actor, isWaiting })}
        {rowDates(datesOfRow(task, style, store), project)}
      </div>
      <span {...cell} class="row-menu">
        <MenuButton label={screenWords.actionsFor(task.title)} tabIndex={-1} items={() => ({ taskId: id })} />
      </span>
    </div>
  );
}

/** «Mon 30»: the heading says the month. */
const columnDay = (date: string) => `${shortWeekday(date)} ${Number(date.slice(8))}`;

type Look = { isTwo: boolean; isDone: boolean; isFolding: boolean; isNew: boolean };

function rowClass(props: RowProps, { isTwo, isDone, isFolding, isNew }: Look): string {
  return classNames(
    'row',
    isTwo ? 'two' : 'one',
    props.isFirst && 'is-first',
    props.style.inDay && 'in-day',
    props.isCursor && 'is-cursor',
    props.isSelected && 'is-on',
    props.isOpen && 'is-open',
    isDone && 'is-done',
    isFolding && 'is-folding',
    isNew && 'is-new',
  );
}
