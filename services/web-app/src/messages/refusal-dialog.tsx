import { useState } from 'preact/hooks';
import { askToComplete } from '../frame/list-menus.ts';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import type { Refusal } from '../store/notices.ts';
import { hasProject } from '../store/outbox-record.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';

/** A change that the server did not take: what was typed can be copied, sent again or let go. */
export function RefusalDialog({ refusal, onClose }: { refusal: Refusal; onClose: () => void }) {
  const store = useStore();
  const [isCopied, setCopied] = useState(false);
  const count = store.notices.refusals.value.length;
  const { id, record, message, text, requestId } = refusal;
  const { kind } = record.refused ?? {};
  const isPlaceRefused = hasProject(record.body) && (kind === 'gone' || kind === 'state');
  const retry = (each: number) => {
    if (record.body === null || !('asked' in record.body) || kind !== 'state')
      return store.retryRefused(each);
    store.discardRefused(each);
    askToComplete(store, record.row.id);
  };
  const copy = () => {
    navigator.clipboard.writeText(text ?? '').then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const finish = (act: (id: number) => void) => () => {
    act(id);
    // The next one follows.
    if (count === 1) onClose();
  };
  return (
    <TitledDialog label={words.refusedTitle} heading={`“${record.title}”`} onClose={onClose}>
      {count > 1 && <p class="muted">{words.firstOf(count)}</p>}
      <p dir="auto">{message}</p>
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
        <button type="button" class="btn primary" onClick={finish(retry)}>
          {words.tryAgain}
        </button>
        {isPlaceRefused && (
          <button type="button" class="btn" onClick={finish((each) => store.retryRefused(each, true))}>
            {words.intoInbox}
          </button>
        )}
        <button type="button" class="btn" onClick={finish((each) => store.discardRefused(each))}>
          {words.discard}
        </button>
      </div>
    </TitledDialog>
  );
}
