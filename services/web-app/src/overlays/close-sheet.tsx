import { detailWords as words } from '../words/detail-words.ts';
import { closeOverlay } from './overlay.ts';

/** A button to close a sheet, for keyboards and screen readers; visible when focused. */
export function CloseSheet({ onClose = closeOverlay }: { onClose?: () => void }) {
  return (
    <button type="button" class="skip btn" onClick={onClose}>
      {words.close}
    </button>
  );
}
