import { useEffect, useState } from 'preact/hooks';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import type { Refusal } from '../store/notices.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { reasonOf, waysOut } from './refusal-ways.ts';

/** A change that the server did not take: what was typed can be copied, sent again or let go. */
export function RefusalDialog({ refusal, onClose }: { refusal: Refusal; onClose: () => void }) {
  const store = useStore();
  const [isCopied, setCopied] = useState(false);
  const count = store.notices.refusals.value.length;
  const { id, record, text, requestId } = refusal;
  const { entity, id: rowId } = record.row;
  const ways = waysOut(store, refusal);
  useEffect(() => {
    // A device that has been started since does not hold what is in the Trash.
    if (entity === 'task') store.loadTexts([rowId]).catch(() => {});
  }, [rowId]);
  const copy = () => {
    navigator.clipboard.writeText(text ?? '').then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const finish = (act: () => void) => () => {
    act();
    // The next one follows.
    if (count === 1) onClose();
  };
  return (
    <TitledDialog label={words.refusedTitle} heading={`“${record.title}”`} onClose={onClose}>
      {count > 1 && <p class="muted">{words.firstOf(count)}</p>}
      <p dir="auto">{reasonOf(store, refusal)}</p>
      {text !== null && (
        <textarea class="error-text" dir="auto" readOnly aria-label={words.typed} value={text} />
      )}
      {requestId !== null && <p class="muted">{words.requestId(requestId)}</p>}
      <div class="question-acts">
        {text !== null && (
          <button type="button" class="btn" onClick={copy}>
            {isCopied ? words.copied : words.copy}
          </button>
        )}
        {ways.map(({ label, run }, place) => (
          <button key={label} type="button" class={place === 0 ? 'btn primary' : 'btn'} onClick={finish(run)}>
            {label}
          </button>
        ))}
        <button type="button" class="btn" onClick={finish(() => store.discardRefused(id))}>
          {words.discard}
        </button>
      </div>
    </TitledDialog>
  );
}
