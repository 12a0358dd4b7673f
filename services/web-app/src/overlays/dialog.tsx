import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { returnFocus } from '../list/list-state.ts';

type DialogProps = {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
  narrow?: boolean;
  /** Closes only by a choice. */
  isModalQuestion?: boolean;
};

/** A modal dialog; when it closes, the focus returns to the previous element or the screen. */
export function Dialog({ label, onClose, children, narrow = false, isModalQuestion = false }: DialogProps) {
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
    if (!isModalQuestion) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog
    <dialog
      ref={element}
      class={narrow ? 'sheet narrow' : 'sheet'}
      aria-label={label}
      // Browsers close it at a second Escape without a cancel event.
      closedby={isModalQuestion ? 'none' : undefined}
      onCancel={cancel}
      onClick={(event) => {
        if (event.target === element.current && !isModalQuestion) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
