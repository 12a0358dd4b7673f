import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { RowRef } from '../list/list-group.ts';
import { renaming, selected, selectedInOrder } from '../list/list-state.ts';
import { writeBlock } from '../list/task-actions.ts';
import type { Store } from '../store/store.ts';
import { enableDragging } from './drag-source.ts';
import { type Drop, dropAt, performDrop, showDrop } from './drop-place.ts';

const leastPixels = 8;

/** Rows can be dragged to a place among rows, a heading, a day or a list of the sidebar. Esc cancels. */
export function startDragging(store: Store): () => void {
  let dragged: readonly RowRef[] = [];
  let drop: Drop | null = null;
  const end = () => {
    showDrop(null);
    drop = null;
  };
  enableDragging((element, ref) =>
    draggable({
      element,
      canDrag: () => renaming.value === null && writeBlock(store) === null,
      onDragStart() {
        const present = ref();
        const isSelected = selected.value.has(present.id);
        dragged = isSelected ? selectedInOrder().map((id) => ({ entity: 'task', id })) : [present];
        element.classList.add('ghost');
      },
      // The drop target hears of the drop after its source.
      onDrop: () => element.classList.remove('ghost'),
    }),
  );
  return dropTargetForElements({
    element: document.body,
    onDrag({ location }) {
      const { clientX, clientY } = location.current.input;
      const { clientX: x, clientY: y } = location.initial.input;
      // A finger that holds a row selects it, which browsers take for the start of a drag.
      const hasMoved = Math.hypot(clientX - x, clientY - y) >= leastPixels;
      drop = hasMoved ? dropAt(clientX, clientY, dragged) : null;
      showDrop(drop);
    },
    onDragLeave: end,
    onDrop() {
      if (drop !== null) performDrop(store, dragged, drop);
      end();
    },
  });
}
