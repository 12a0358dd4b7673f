import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import type { Refusal } from '../store/notices.ts';
import { discardAlone } from '../store/record-choices.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { reasonOf, waysOut } from './refusal-ways.ts';

type RefusalDialogProps = { place: number; onPlace: (place: number | null) => void };

/** A change that the server refused, with a link to the next one. */
export function RefusalDialog({ place, onPlace }: RefusalDialogProps) {
  const refusals = useStore().notices.refusals.value;
  const count = refusals.length;
  const shown = Math.min(place, count - 1);
  const refusal = refusals[shown];
  if (refusal === undefined) return null;
  const close = () => onPlace(null);
  return (
    <TitledDialog
      key={refusal.id}
      label={words.refusedTitle}
      heading={`“${refusal.record.title}”`}
      onClose={close}
    >
      {count > 1 && (
        <p class="muted">
          {words.placeOf(shown + 1, count)} {/* The next refusal opens a new dialog. */}
          <Button
            text={words.showNext}
            kind="text"
            autofocus={shown > 0}
            onPress={() => onPlace((shown + 1) % count)}
          />
        </p>
      )}
      <Refused refusal={refusal} onEnd={() => count === 1 && close()} />
    </TitledDialog>
  );
}

/** The typed text can be copied, sent again or discarded. */
function Refused({ refusal, onEnd }: { refusal: Refusal; onEnd: () => void }) {
  const store = useStore();
  const [isCopied, setCopied] = useState(false);
  const { id, record, text, requestId } = refusal;
  const { entity, id: rowId } = record.row;
  const ways = waysOut(store, refusal);
  useEffect(() => {
    // After a restart the local copy has no trashed records.
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
    // Continues with the next one.
    onEnd();
  };
  return (
    <>
      <p dir="auto">{reasonOf(store, refusal)}</p>
      {text !== null && (
        <textarea class="error-text" dir="auto" readOnly aria-label={words.typed} value={text} />
      )}
      {requestId !== null && <p class="muted">{words.requestId(requestId)}</p>}
      <div class="question-acts">
        {text !== null && <Button text={isCopied ? words.copied : words.copy} onPress={copy} />}
        {ways.map(({ label, run }, place) => (
          <Button key={label} text={label} kind={place === 0 ? 'primary' : undefined} onPress={finish(run)} />
        ))}
        <Button text={words.discard} onPress={finish(() => store.discardRefused(id, discardAlone(id)))} />
      </div>
    </>
  );
}
