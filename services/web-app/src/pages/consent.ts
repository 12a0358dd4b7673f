const attentionMilliseconds = 1_000;

/**
 * A button that grants something takes no click that was meant for another window, such as the second half of a double
 * click whose first half closed a popup above it: the page must have been visible and focused for a second, and the
 * mouse moved on the button since. A key or a tap needs the second alone.
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
    // A key's click has no count (UI Events, 3.4.3).
    if (isArmed() && (isPressed || event.detail === 0)) return;
    event.preventDefault();
  });
  watch();
}

/** An app of the device takes the answer without the page being left; its form would send nothing a second time. */
export function sayWhenAnswered(form: HTMLFormElement): void {
  form.addEventListener('submit', () => {
    setTimeout(() => {
      const done = document.createElement('p');
      done.className = 'notice';
      done.role = 'status';
      done.tabIndex = -1;
      done.textContent = 'Your answer is on its way to the app. You can close this window.';
      form.parentElement?.replaceChildren(done);
      done.focus();
    }, 1_000);
  });
}
