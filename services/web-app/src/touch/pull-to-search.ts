import { selected } from '../list/list-state.ts';
import { openOverlay, overlay } from '../overlays/overlay.ts';
import { screenWords } from '../words/screen-words.ts';

/** Below this distance a touch may be a tap or a horizontal swipe. */
const slackPixels = 10;
const armedPixels = 80;
const furthestPixels = 120;

type Pull = { page: HTMLElement; x: number; y: number; pulled: number };

/** A pull down from the top of a list opens the search. Listeners that are not passive delay scrolling. */
export function followPulls(signal: AbortSignal): void {
  const options = { signal, passive: true };
  let pull: Pull | null = null;

  function start(event: TouchEvent): void {
    end();
    const [finger] = event.touches;
    const target = event.target instanceof Element ? event.target : null;
    const page = target?.closest<HTMLElement>('.page') ?? null;
    if (finger === undefined || event.touches.length > 1 || page === null) return;
    if (page.scrollTop > 0 || overlay.value !== null || target?.closest('input, textarea') != null) return;
    pull = { page, x: finger.clientX, y: finger.clientY, pulled: 0 };
  }

  function move(event: TouchEvent): void {
    const [finger] = event.touches;
    if (pull === null || finger === undefined) return;
    const [right, down] = [finger.clientX - pull.x, finger.clientY - pull.y];
    // The touch may be a long touch of a row.
    const isSelecting = selected.value.size > 0;
    const isElsewhere = isSelecting || event.touches.length > 1 || pull.page.scrollTop > 0 || down < 0;
    const isSideways = pull.pulled === 0 && Math.abs(right) > down;
    if (isElsewhere || (isSideways && Math.hypot(right, down) > slackPixels)) end();
    else if (down >= slackPixels) {
      pull.pulled = down;
      show(pull);
    }
  }

  function letGo(): void {
    const isArmed = pull !== null && pull.pulled >= armedPixels;
    end();
    if (isArmed) openOverlay({ kind: 'palette' });
  }

  function end(): void {
    if (pull !== null) hide(pull);
    pull = null;
  }

  document.addEventListener('touchstart', start, options);
  document.addEventListener('touchmove', move, options);
  document.addEventListener('touchend', letGo, options);
  document.addEventListener('touchcancel', end, options);
}

function show({ page, pulled }: Pull): void {
  page.dataset.pull = screenWords.search;
  page.style.setProperty('--pull', `${Math.min(pulled, furthestPixels)}px`);
  page.toggleAttribute('data-pull-armed', pulled >= armedPixels);
}

function hide({ page }: Pull): void {
  delete page.dataset.pull;
  page.style.removeProperty('--pull');
  page.removeAttribute('data-pull-armed');
}
