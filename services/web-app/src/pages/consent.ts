import { make } from './elements.ts';

const attentionMilliseconds = 1_000;

/**
 * Prevents clicks on a granting button that were meant for another window, such as the second half of a
 * double click whose first half closed a popup. The page must have been visible and focused for a second, and
 * the mouse moved on the button since; keys and taps only need the second.
 */
export function armAfterAttention(button: HTMLButtonElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasMoved = false;
  let isPressed = false;

  const isArmed = (): boolean => button.getAttribute('aria-disabled') === null;
  const disarm = (): void => {
    clearTimeout(timer);
    hasMoved = false;
    isPressed = false;
    button.setAttribute('aria-disabled', 'true');
  };
  const watch = (): void => {
    disarm();
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    timer = setTimeout(() => button.removeAttribute('aria-disabled'), attentionMilliseconds);
  };

  for (const type of ['focus', 'blur', 'pageshow']) addEventListener(type, watch);
  document.addEventListener('visibilitychange', watch);
  button.addEventListener('pointermove', () => {
    hasMoved = isArmed();
  });
  button.addEventListener('pointerdown', ({ pointerType }) => {
    isPressed = isArmed() && (hasMoved || pointerType !== 'mouse');
  });
  button.addEventListener('click', (event) => {
    // `detail` is 0 for clicks by keyboard (UI Events, 3.4.3).
    if (isArmed() && (isPressed || event.detail === 0)) return;
    event.preventDefault();
  });
  watch();
}

/** A private-use scheme does not unload the page, whose form cannot be sent twice: a notice replaces it. */
export function sayWhenAnswered(form: HTMLFormElement): void {
  form.addEventListener('submit', () => {
    setTimeout(() => {
      const textContent = 'Your answer is on its way to the app. You can close this window.';
      const done = make('p', { className: 'notice', role: 'status', tabIndex: -1, textContent });
      form.parentElement?.replaceChildren(done);
      done.focus();
    }, 1_000);
  });
}
