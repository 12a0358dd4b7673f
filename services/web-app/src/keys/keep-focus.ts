import { returnFocusSoon } from '../list/list-state.ts';

/** If the focused element is removed, focuses the open task that had it, the cursor's row, or the screen. */
export function keepFocus(signal: AbortSignal): void {
  let present = document.activeElement;
  let panel: Element | null = null;
  const remember = ({ target }: FocusEvent) => {
    present = target instanceof Element ? target : null;
    panel = present?.closest('.detail') ?? null;
  };
  const observer = new MutationObserver(() => {
    if (present === null || present.isConnected) return;
    present = null;
    returnFocusSoon(panel);
  });
  document.addEventListener('focusin', remember, { signal });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => observer.disconnect());
}
