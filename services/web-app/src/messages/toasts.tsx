import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { formatKeys } from '../keys/key-map.ts';
import type { Toast } from '../store/notices.ts';
import { useStore } from '../store/store-context.ts';
import { messageWords as words } from '../words/message-words.ts';

const shownMilliseconds = 8000;

/** The last action, with Undo; stays while hovered or focused. The live region exists before its text. */
export function Toasts() {
  const { toasts } = useStore().notices;
  // Keeps the focused element visible above the message.
  useLayoutEffect(() => {
    document.activeElement?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' });
  }, [toasts.value]);
  return (
    <section class="toasts" aria-label={words.messages} aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastBox({ toast }: { toast: Toast }) {
  const store = useStore();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => store.notices.dismissToast(toast.id), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [isHeld, toast.id]);
  const { undo } = toast;
  return (
    <div
      class="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span dir="auto">
        {toast.text}
        {toast.more && <span>. {toast.more}</span>}
      </span>
      {undo !== null && (
        <button
          type="button"
          class="btn"
          onClick={() => {
            store.notices.dismissToast(toast.id);
            if (typeof undo === 'string') store.undo(undo);
            else undo();
          }}
        >
          {words.undo} {typeof undo === 'string' && <kbd>{formatKeys('Mod+z')}</kbd>}
        </button>
      )}
    </div>
  );
}
