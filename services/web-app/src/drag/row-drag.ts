import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import * as dragPreview from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import type { DragLocationHistory } from '@atlaskit/pragmatic-drag-and-drop/types';
import { projectRefs, type RowRef, taskRefs } from '../list/list-group.ts';
import { clearSelection, rowElement, withSelected } from '../list/list-state.ts';
import { writeBlock } from '../list/task-actions.ts';
import type { Store } from '../store/store.ts';
import { taskCount } from '../words/quoted-title.ts';
import { type Drop, dropAt, showDrop } from './drop-place.ts';

const leastPixels = 8;
const draggedElements = '[data-row], [data-drop="project"]';

/** Tasks and projects can be dragged to a place, a heading, a day or a list of the sidebar. Esc cancels. */
export function startDragging(store: Store, signal: AbortSignal): void {
  let dragged: readonly RowRef[] = [];
  const placeOf = ({ current, initial }: DragLocationHistory): Drop | null => {
    const { clientX: x, clientY: y } = current.input;
    // A long touch selects a row, but browsers start a drag.
    const hasMoved = Math.hypot(x - initial.input.clientX, y - initial.input.clientY) >= leastPixels;
    return hasMoved ? dropAt(store, x, y, dragged) : null;
  };
  const prepare = (element: HTMLElement) =>
    draggable({
      element,
      canDrag: () => element.querySelector('input') === null && writeBlock(store) === null,
      onGenerateDragPreview({ nativeSetDragImage }) {
        const { row, dropId: projectOfSidebar, entity } = element.dataset;
        const id = row ?? projectOfSidebar ?? '';
        dragged = entity === 'project' ? projectRefs([id]) : taskRefs(withSelected(id));
        if (dragged.length > 1)
          dragPreview.setCustomNativeDragPreview({ nativeSetDragImage, render: showCount });
      },
      onDragStart: () => markDragged(element, dragged),
      // The drop target is notified after its source.
      onDrop: () => markDragged(element, []),
    });
  const showCount = ({ container }: { container: HTMLElement }) => {
    container.className = 'drag-count';
    container.textContent = taskCount(dragged.length);
  };
  const stopDropping = dropTargetForElements({
    element: document.body,
    onDrag: ({ location }) => showDrop(placeOf(location)),
    onDragLeave: () => showDrop(null),
    onDrop({ location }) {
      // `onDrag` is called once per frame, so the place shown last may be outdated.
      const drop = placeOf(location);
      showDrop(null);
      if (drop === null) return;
      clearSelection();
      drop.perform();
    },
  });
  signal.addEventListener('abort', stopDropping);
  followPointer(prepare, signal);
}

export function markDragged(element: HTMLElement, dragged: readonly RowRef[]): void {
  for (const ghost of document.querySelectorAll('.ghost')) ghost.classList.remove('ghost');
  if (dragged.length === 1) element.classList.add('ghost');
  for (const { id } of dragged) rowElement(document, id)?.classList.add('ghost');
}

/** Prepares only the row under the pointer, to keep scrolling cheap. */
function followPointer(prepare: (row: HTMLElement) => () => void, signal: AbortSignal): void {
  let prepared: { row: HTMLElement; undo: () => void } | null = null;
  const follow = (event: PointerEvent): void => {
    const { target, pointerType, buttons } = event;
    // A fast drag leaves its row before it starts.
    if (pointerType === 'mouse' && buttons !== 0) return;
    const row = target instanceof Element ? target.closest<HTMLElement>(draggedElements) : null;
    if (row === null || row === prepared?.row) return;
    prepared?.undo();
    prepared = { row, undo: prepare(row) };
  };
  document.addEventListener('pointerover', follow, { signal });
  signal.addEventListener('abort', () => prepared?.undo());
}
