import { formatKeys } from '../keys/key-map.ts';
import { CloseSheet } from '../overlays/close-sheet.tsx';
import { entryWords as words } from '../words/entry-words.ts';
import { pickerWords } from '../words/picker-words.ts';
import type { LinesAs } from './read-lines.ts';

type FootProps = {
  /** Further lists match than the choices above. */
  isMore: boolean | undefined;
  count: number;
  /** Describes what the main button adds. */
  kind: LinesAs;
  can: Record<LinesAs, boolean>;
  onAdd: (as?: LinesAs) => void;
};

export function QuickAddFoot({ isMore, count, kind, can, onAdd }: FootProps) {
  const isSeveral = count > 1;
  const isChecklist = kind === 'checklist';
  const mainLabel = isChecklist ? words.addWithChecklist : words.addTask;
  const button = (as: LinesAs, label: string, keys?: string) => (
    <button type="button" class="btn" aria-disabled={!can[as]} onClick={() => onAdd(as)}>
      {label}
      {keys && <kbd>{formatKeys(keys)}</kbd>}
    </button>
  );
  return (
    <>
      {isMore && <p class="none">{pickerWords.more}</p>}
      <div class="foot">
        {!isSeveral && (
          <span class="grow keys">
            <Hint keys="Enter" label={isChecklist ? words.nextItem : words.add} />
            <Hint keys="Mod+Enter" label={isChecklist ? words.add : words.addAnother} />
            <Hint keys="Backspace" label={words.makePlain} />
          </span>
        )}
        {isSeveral && button('notes', words.addWithNotes, 'Alt+Enter')}
        {isSeveral && button('checklist', words.addWithChecklist)}
        <button type="button" class="btn primary" aria-disabled={!can[kind]} onClick={() => onAdd()}>
          {isSeveral ? words.addTasks(count) : mainLabel}
        </button>
      </div>
      <CloseSheet />
    </>
  );
}

function Hint({ keys, label }: { keys: string; label: string }) {
  return (
    <span>
      <kbd>{formatKeys(keys)}</kbd> {label}
    </span>
  );
}
