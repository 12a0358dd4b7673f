import { detailWords as words } from '../words/detail-words.ts';
import { closeOverlay } from './overlay.ts';

/** Sheets are closed by a press outside: this is the same for who sees no outside. It shows when it has the focus. */
export function CloseSheet({ onClose = closeOverlay }: { onClose?: () => void }) {
  return (
    <button type="button" class="skip btn" onClick={onClose}>
      {words.close}
    </button>
  );
}
