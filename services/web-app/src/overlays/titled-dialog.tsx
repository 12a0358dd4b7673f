import type { ComponentProps } from 'preact';
import { Icon } from '../components/icon.tsx';
import { detailWords as words } from '../words/detail-words.ts';
import { Dialog } from './dialog.tsx';

type TitledDialogProps = ComponentProps<typeof Dialog> & { heading?: string; hasClose?: boolean };

/** A dialog below its heading, which is its label unless another is given. */
export function TitledDialog({ heading, hasClose = false, children, ...dialog }: TitledDialogProps) {
  return (
    <Dialog {...dialog}>
      <div class="sheet-head">
        <h2 dir="auto">{heading ?? dialog.label}</h2>
        {hasClose && (
          <button type="button" class="icon-btn" aria-label={words.close} onClick={dialog.onClose}>
            <Icon name="x" />
          </button>
        )}
      </div>
      <div class="sheet-body">{children}</div>
    </Dialog>
  );
}
