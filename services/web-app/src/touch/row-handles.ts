import { type Drop, dropAt, showDrop } from '../drag/drop-place.ts';
import { markDragged } from '../drag/row-drag.ts';
import { type RowRef, taskRefs } from '../list/list-group.ts';
import { selected, withSelected } from '../list/list-state.ts';
import { taskRowOf } from '../list/row-events.ts';
import { canWriteOrToast } from '../list/task-actions.ts';
import type { Store } from '../store/store.ts';
import { placeWords } from '../words/place-words.ts';

/** Below this distance a touch may be a tap, a long touch or scrolling. */
export const slackPixels = 10;
/** Within this distance of the list's ends it scrolls. */
const edgePixels = 56;
const scrolledPixels = 9;

type Lifted = {
  pointerId: number;
  row: HTMLElement;
  page: HTMLElement;
  dragged: readonly RowRef[];
  from: number;
  scrolled: number;
  x: number;
  y: number;
  isMoving: boolean;
};

/** While rows are selected on a touch screen, the row's menu button is its handle: a finger drags the row. */
export function followHandles(store: Store, signal: AbortSignal): void {
  let lifted: Lifted | null = null;

  function start(event: PointerEvent): void {
    end();
    const row = isOnHandle(event) ? taskRowOf(event) : null;
    const page = row?.closest<HTMLElement>('.page') ?? null;
    if (row === null || page === null || event.pointerType !== 'touch' || !event.isPrimary) return;
    const { pointerId, clientX: x, clientY: y } = event;
    const dragged = taskRefs(withSelected(row.dataset.row ?? ''));
    lifted = { pointerId, row, page, dragged, from: y, scrolled: page.scrollTop, x, y, isMoving: false };
  }

  function move({ pointerId, clientX: x, clientY: y }: PointerEvent): void {
    if (lifted === null || pointerId !== lifted.pointerId) return;
    Object.assign(lifted, { x, y });
    if (lifted.isMoving || Math.abs(y - lifted.from) < slackPixels) return;
    if (!canWriteOrToast(store)) {
      lifted = null;
      return;
    }
    lifted.isMoving = true;
    markDragged(lifted.row, lifted.dragged);
    lifted.row.dataset.lifted = '';
    follow();
  }

  /** Once per frame, since the list may scroll while the finger rests. */
  function follow(): void {
    if (lifted?.isMoving !== true) return;
    const { row, page, y, from, scrolled } = lifted;
    page.scrollTop += scrolledPixels * endOf(page, y);
    row.style.translate = `0 ${y - from + page.scrollTop - scrolled}px`;
    showDrop(dropOf(lifted));
    requestAnimationFrame(follow);
  }

  /** Below the list counts as its end. */
  function dropOf({ row, x, y, dragged }: Lifted): Drop | null {
    const end = row.closest('[role="grid"]')?.getBoundingClientRect().bottom ?? y;
    return dropAt(store, x, Math.min(y, end - 1), dragged, placeWords.moved);
  }

  function letGo({ pointerId }: PointerEvent): void {
    if (lifted === null || pointerId !== lifted.pointerId) return;
    const drop = lifted.isMoving ? dropOf(lifted) : null;
    end();
    drop?.perform();
  }

  function end(): void {
    if (lifted?.isMoving === true) {
      lifted.row.style.translate = '';
      delete lifted.row.dataset.lifted;
      markDragged(lifted.row, []);
      showDrop(null);
    }
    lifted = null;
  }

  document.addEventListener('pointerdown', start, { signal });
  document.addEventListener('pointermove', move, { signal });
  document.addEventListener('pointerup', letGo, { signal });
  document.addEventListener('pointercancel', end, { signal });
}

/** On the menu button of a row while rows are selected. */
export function isOnHandle({ target }: Event): boolean {
  return selected.value.size > 0 && target instanceof Element && target.closest('.row-menu') !== null;
}

/** -1 near the top of the list, 1 near the bar of the selection below it, else 0. */
function endOf(page: HTMLElement, y: number): -1 | 0 | 1 {
  const bottom = document.querySelector('.selection-bar')?.getBoundingClientRect().top ?? innerHeight;
  if (y > bottom - edgePixels) return 1;
  return y < page.getBoundingClientRect().top + edgePixels ? -1 : 0;
}
