import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { classNames } from '../components/class-names.ts';
import { location, navigate, openTask } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import type { ListGroup, ListLine, RowRef } from './list-group.ts';
import {
  cursor,
  hideList,
  renaming,
  rowElement,
  selected,
  selectTo,
  showList,
  toggleSelected,
} from './list-state.ts';
import type { ProjectRowProps } from './project-row.tsx';
import { TaskRow } from './task-row.tsx';
import { useLines } from './use-lines.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useScrollWindow } from './use-scroll-window.ts';

type TaskGridProps = {
  label: string;
  groups: readonly ListGroup[];
  projectRow?: ComponentType<ProjectRowProps> | undefined;
};

/** The list of a screen: groups of rows with one tab stop. */
export function TaskGrid({ label, groups, projectRow: ProjectRow }: TaskGridProps) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const { lines, rows, offsets } = useLines(groups);
  const shownRange = useScrollWindow(box, offsets);
  const reveal = (id: string) => {
    const found = rowElement(box.current, id);
    if (found !== null) {
      found.focus({ preventScroll: true });
      found.scrollIntoView({ block: 'nearest' });
      return;
    }
    const index = lines.findIndex((line) => line.kind === 'row' && line.ref.id === id);
    if (offsets === null || index === -1) return;
    box.current?.closest('.page')?.scrollTo({ top: offsets.top(index) });
    requestAnimationFrame(() => rowElement(box.current, id)?.focus({ preventScroll: true }));
  };
  useLayoutEffect(() => {
    showList({ groups, rows, reveal }, store.idOf);
  });
  useRowFocus(box, rows);
  useEffect(() => hideList, []);
  const range = offsets === null ? { from: 0, to: lines.length } : shownRange;
  const selectedIds = selected.value;
  const present = cursor.value;
  // When the row gets the server's id, its field stays.
  const renamed = store.idOf(renaming.value ?? '');
  const opened = location.value.task;
  const shown = lines.slice(range.from, range.to);
  const keyOf = useRowKeys(shown, offsets !== null);
  const line = (each: ListLine, index: number) => {
    const top = offsets?.top(index);
    if (each.kind !== 'row') return <EdgeRow key={each.key} line={each} index={index} top={top} />;
    const { id, entity } = each.ref;
    const rowIndex = offsets === null ? undefined : index + 1;
    const shared = { id, style: each.style, isFirst: each.isFirst, isCursor: id === present, rowIndex, top };
    if (entity === 'project') return ProjectRow && <ProjectRow key={each.key} {...shared} />;
    return (
      <TaskRow
        key={keyOf(id)}
        {...shared}
        isOpen={id === opened}
        isSelected={selectedIds.has(id)}
        isRenaming={id === renamed}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of rows are read for all of the page
    <div
      ref={box}
      role="grid"
      class={classNames('grid', offsets !== null && 'virtual')}
      aria-label={label}
      aria-rowcount={offsets === null ? undefined : lines.length}
      aria-multiselectable
      style={offsets === null ? undefined : { height: `${offsets.total}px` }}
      onClick={pressRow}
      onFocusIn={followFocus}
    >
      {shown.map((each, index) => line(each, range.from + index))}
    </div>
  );
}

/**
 * Keys of rows. In a virtual list a row that comes into view reuses the key, and so the elements, of one that
 * left it, since creating elements takes longer. The cursor's row keeps its own because of the focus.
 */
function useRowKeys(shown: readonly ListLine[], isVirtual: boolean): (id: string) => string {
  const store = useStore();
  const keys = useRef(new Map<string, string>());
  const made = useRef(0);
  if (!isVirtual) return store.keyOf;
  const ids = shown.flatMap((line) => (line.kind === 'row' ? [store.keyOf(line.ref.id)] : []));
  const gone = new Map(keys.current);
  for (const id of [...ids, store.keyOf(cursor.value ?? '')]) gone.delete(id);
  const free = gone.values();
  keys.current = new Map(
    ids.map((id) => [id, keys.current.get(id) ?? free.next().value ?? `row ${made.current++}`]),
  );
  return (id) => keys.current.get(store.keyOf(id)) ?? id;
}

type EdgeRowProps = { line: Extract<ListLine, { kind: 'edge' }>; index: number; top: number | undefined };

function EdgeRow({ line, index, top }: EdgeRowProps) {
  const placed = top === undefined ? undefined : { transform: `translateY(${top}px)` };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    // biome-ignore lint/a11y/useFocusableInteractive: what is inside takes the focus
    <div
      role="row"
      class={edgeClasses[line.edge.kind]}
      data-group={line.groupKey}
      aria-rowindex={top === undefined ? undefined : index + 1}
      style={placed}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: what is inside takes the focus */}
      <div role="gridcell">{line.edge.element}</div>
    </div>
  );
}

const edgeClasses = {
  plain: 'group-row',
  more: 'more-row',
  add: 'add-line',
  day: 'day',
  emptyDays: 'day is-empty',
  month: 'month',
};

/** The row that is pressed, not what can be pressed within it. */
export function rowAt(event: Event): RowRef | null {
  const target = event.target instanceof Element ? event.target : null;
  if (target === null || target.closest('button, a, input, [role="checkbox"]') !== null) return null;
  const { row, entity } = target.closest<HTMLElement>('[data-row]')?.dataset ?? {};
  return row === undefined ? null : { entity: entity === 'project' ? 'project' : 'task', id: row };
}

function pressRow(event: MouseEvent): void {
  const ref = rowAt(event);
  if (ref === null) return;
  cursor.value = ref.id;
  if (ref.entity === 'project') navigate({ screen: 'project', id: ref.id });
  else if (event.metaKey || event.ctrlKey || isTapWhileSelecting(event)) toggleSelected(ref.id);
  else if (event.shiftKey) selectTo(ref.id);
  else if (event.detail < 2) openTask(ref.id);
}

/** On touch screens, rows are added to a selection by a tap. */
function isTapWhileSelecting(event: MouseEvent): boolean {
  return selected.value.size > 0 && event instanceof PointerEvent && event.pointerType === 'touch';
}

function followFocus(event: FocusEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  const id = target?.closest<HTMLElement>('[data-row]')?.dataset.row;
  if (id !== undefined) cursor.value = id;
}
