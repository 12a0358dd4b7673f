import { useMemo } from 'preact/hooks';
import { isNarrow, isOnPaper } from '../frame/layout.ts';
import type { RowTable } from '../store/row-table.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { type ListGroup, type ListLine, toLines } from './list-group.ts';
import { hasSecondLine } from './row-facts.ts';
import { RowOffsets } from './row-offsets.ts';

/** Longer lists render only visible lines. */
const longestPlainList = 200;

/** Heights of lines as list.css sets them in a virtual list, in CSS pixels of a text of the usual size. */
const desktop = { row: 40, twoLines: 40, plain: 36, day: 32, emptyDays: 32, month: 32, more: 56, add: 40 };
const phone = { row: 48, twoLines: 68, plain: 44, day: 32, emptyDays: 32, month: 32, more: 60, add: 56 };
const gapAbove = { plain: 28, day: 20, emptyDays: 8, month: 32, more: 0, add: 0 };

/** The lines of the grid, with their offsets if it is long and so virtual; not recomputed while scrolling. */
export function useLines(groups: readonly ListGroup[]) {
  const { tasks } = useStore().rows;
  const heights = isNarrow.value ? phone : desktop;
  const { lines, rows } = useMemo(
    () => ({ lines: toLines(groups), rows: groups.flatMap((group) => group.rows) }),
    [groups],
  );
  const isVirtual = lines.length > longestPlainList && !isOnPaper.value;
  // A change of a task can give its row a second line.
  const revision = isVirtual ? tasks.revision.value : 0;
  const offsets = useMemo(() => {
    if (!isVirtual) return null;
    // How much larger the browser is set to show text.
    const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    return new RowOffsets(
      lines.map((line) => {
        const gap = line.kind === 'edge' && !line.isFirst ? gapAbove[line.edge.kind] : 0;
        return gap + scale * heights[lookOf(line, tasks)];
      }),
    );
  }, [lines, isVirtual, heights, revision]);
  return { lines, rows, offsets };
}

function lookOf(line: ListLine, tasks: RowTable<TaskRow>): keyof typeof desktop {
  if (line.kind === 'edge') return line.edge.kind;
  const task = tasks.find(line.ref.id);
  return task !== undefined && hasSecondLine(task, line.style) ? 'twoLines' : 'row';
}
