import { classNames } from '../components/class-names.ts';
import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/project-ring.tsx';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { cell } from './cell.ts';
import type { RowStyle } from './list-group.ts';

export type ProjectRowProps = {
  id: string;
  style: RowStyle;
  isFirst: boolean;
  isCursor: boolean;
  /** In a virtual list: the line's index and offset. */
  rowIndex: number | undefined;
  top: number | undefined;
};

export function ProjectRow({ id, style, isFirst, isCursor, rowIndex, top }: ProjectRowProps) {
  const store = useStore();
  const project = store.rows.projects.row(id).value;
  if (project === undefined) return null;
  const { open } = store.views.progress(id).value;
  const isDone = project.status !== 'active';
  const today = store.today.value;
  const deadline = isDone ? null : project.deadlineDate;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    <div
      role="row"
      class={classNames(
        'row one',
        style.inDay && 'in-day',
        isFirst && 'is-first',
        isDone && 'is-done',
        isCursor && 'is-cursor',
      )}
      data-row={id}
      data-entity="project"
      aria-rowindex={rowIndex}
      tabIndex={isCursor ? 0 : -1}
      style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
    >
      <span {...cell} class="cell">
        <ProgressRing id={id} isClosed={isDone} />
      </span>
      <div role="none" class="row-text grow">
        <span {...cell} class="t cut">
          <a href={hrefOf({ screen: 'project', id })} dir="auto" tabIndex={-1} draggable={false}>
            {project.title}
          </a>
        </span>
        <span {...cell} class="m">
          {open > 0 && <span class="num">{open}</span>}
          {deadline !== null && (
            <time class={deadline <= today ? 'late' : undefined}>
              <Icon name="flag" small />
              <span class="vh">{listWords.deadlineName} </span>
              {listWords.deadline(deadline, today)}
            </time>
          )}
        </span>
      </div>
    </div>
  );
}
