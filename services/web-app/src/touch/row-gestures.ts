import { actionAsShown } from '../list/action-as-shown.ts';
import { cursor, selected, toggleSelected } from '../list/list-state.ts';
import { taskRowOf } from '../list/row-events.ts';
import { canWriteOrToast, taskActions } from '../list/task-actions.ts';
import { openedMenu, openMenu } from '../menu/menu-state.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { actionLabels } from '../words/key-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { selectionWords as words } from '../words/selection-words.ts';
import { isOnHandle, slackPixels } from './row-handles.ts';

const holdMilliseconds = 400;
/** Share of the row's width from which letting go acts. */
const armedShare = 0.25;
/** Browsers navigate by swipes from the screen's edges. */
const edgePixels = 20;
const returnMilliseconds = 160;

type Touch = {
  pointerId: number;
  row: HTMLElement;
  /** As it was when the row was touched. */
  task: TaskRow;
  x: number;
  y: number;
  /** Pixels to the right; null: not a swipe yet. */
  moved: number | null;
  hold: ReturnType<typeof setTimeout>;
};

/**
 * On touch screens a swipe to the right completes a task, one to the left shows Plan, Move and Trash, and
 * holding selects it. The list scrolls by itself: `touch-action` of rows leaves sideways moves alone to us.
 * The row's menu has all of it, too.
 */
export function followGestures(store: Store, signal: AbortSignal): void {
  let touch: Touch | null = null;
  /** Ignores the click after a gesture. */
  let isSpent = false;

  function end(): void {
    if (touch === null) return;
    clearTimeout(touch.hold);
    if (touch.moved !== null) showReturn(touch.row, touch.moved);
    touch = null;
  }

  function start(event: PointerEvent): void {
    end();
    isSpent = false;
    const row = taskRowOf(event);
    if (event.pointerType !== 'touch' || !event.isPrimary || !(event.target instanceof Element)) return;
    // A tap outside a menu only closes it.
    isSpent = openedMenu.value !== null && event.target.closest('.menu') === null;
    if (isSpent || row === null || event.target.closest('input') !== null || isOnHandle(event)) return;
    const task = store.rows.tasks.find(row.dataset.row ?? '');
    if (task === undefined) return;
    const { pointerId, clientX: x, clientY: y } = event;
    const hold = setTimeout(() => {
      touch = null;
      isSpent = true;
      vibrate();
      cursor.value = row.dataset.row ?? null;
      toggleSelected(row.dataset.row ?? '');
    }, holdMilliseconds);
    touch = { pointerId, row, task, x, y, moved: null, hold };
  }

  function move(event: PointerEvent): void {
    if (touch === null || event.pointerId !== touch.pointerId) return;
    const [right, down] = [event.clientX - touch.x, event.clientY - touch.y];
    if (touch.moved === null) {
      if (Math.hypot(right, down) < slackPixels) return;
      clearTimeout(touch.hold);
      const isAtEdge = touch.x < edgePixels || touch.x > innerWidth - edgePixels;
      if (Math.abs(right) < 1.5 * Math.abs(down) || isAtEdge || selected.value.size > 0) {
        end();
        return;
      }
      touch.row.setPointerCapture(touch.pointerId);
    }
    touch.moved = right;
    showSwipe(store, touch.row, right);
  }

  function letGo(event: PointerEvent): void {
    if (touch === null || event.pointerId !== touch.pointerId) return;
    const { row, task, moved } = touch;
    end();
    if (moved === null || !isArmed(row, moved) || !canWriteOrToast(store)) return;
    if (moved > 0) actionAsShown(store, 'complete', [task])();
    else if (row.isConnected) openTray(store, row, store.idOf(task.id));
  }

  /** Some browsers emit a click at the end of a long touch. */
  function swallowClick(event: MouseEvent): void {
    if (!isSpent) return;
    isSpent = false;
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener('pointerdown', start, { signal });
  document.addEventListener('pointermove', move, { signal });
  document.addEventListener('pointerup', letGo, { signal });
  document.addEventListener('pointercancel', end, { signal });
  document.addEventListener('click', swallowClick, { signal, capture: true });
}

function openTray(store: Store, row: HTMLElement, id: string): void {
  const ids = [id];
  openMenu({
    label: screenWords.actionsFor(store.rows.tasks.find(id)?.title ?? ''),
    items: [
      { label: actionLabels.plan, icon: 'upcoming', run: () => taskActions.plan.run(store, ids) },
      { label: words.move, icon: 'inbox', run: () => taskActions.move.run(store, ids) },
      { label: words.trash, icon: 'trash', run: () => taskActions.trash.run(store, ids) },
    ],
    anchor: row,
    point: null,
    isTray: true,
  });
}

function isArmed(row: HTMLElement, moved: number): boolean {
  return Math.abs(moved) >= armedShare * row.clientWidth;
}

/** Moves the title over the colour and name of the action. */
function showSwipe(store: Store, row: HTMLElement, moved: number): void {
  const isOpen = store.rows.tasks.find(row.dataset.row ?? '')?.status === 'open';
  const complete = isOpen ? actionLabels.complete : words.reopen;
  row.dataset.swipe = moved > 0 ? 'complete' : 'more';
  row.dataset.swipeLabel = moved > 0 ? complete : words.more;
  row.style.setProperty('--swipe', `${moved}px`);
  if (isArmed(row, moved) === 'swipeArmed' in row.dataset) return;
  if ('swipeArmed' in row.dataset) delete row.dataset.swipeArmed;
  else {
    row.dataset.swipeArmed = '';
    vibrate();
  }
}

function showReturn(row: HTMLElement, moved: number): void {
  for (const name of ['swipe', 'swipeLabel', 'swipeArmed']) delete row.dataset[name];
  row.style.removeProperty('--swipe');
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const frames = [{ translate: `${moved}px` }, { translate: '0' }];
  for (const child of row.children)
    child.animate(frames, { duration: returnMilliseconds, easing: 'ease-out' });
}

/** Browsers refuse vibration before the first tap, with an error in the console. */
function vibrate(): void {
  if ('vibrate' in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(10);
}
