import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { returnFocus } from '../list/list-state.ts';

type DialogProps = {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
  narrow?: boolean;
  /** Closes only by a choice: `onClose` does nothing, but at a second Escape browsers close it anyway. */
  closedby?: 'none';
};

/** A drag that selects text may end beside the dialog. */
let pressed: EventTarget | null = null;

/** A modal dialog; when it closes, the focus returns to the previous element or the screen. */
export function Dialog({ label, onClose, children, narrow, closedby }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      returnFocus(opener);
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog
    <dialog
      ref={element}
      class={narrow ? 'sheet narrow' : 'sheet'}
      aria-label={label}
      closedby={closedby}
      onCancel={cancel}
      onPointerDown={({ target }) => {
        pressed = target;
      }}
      onClick={({ target }) => {
        if (target === element.current && target === pressed) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
