import { returnFocusSoon } from '../list/list-state.ts';

/** Where the element with the focus leaves the page, the cursor's row takes the focus, or else the screen does. */
export function keepFocus(): () => void {
  let present: Node | null = null;
  const remember = ({ target }: FocusEvent) => {
    present = target instanceof Node ? target : null;
  };
  const observer = new MutationObserver(() => {
    if (present === null || present.isConnected) return;
    present = null;
    returnFocusSoon(null);
  });
  document.addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
