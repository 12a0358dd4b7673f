import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';

const delayMilliseconds = 1000;

type AutosaveOptions<Value> = {
  /** Whether there is nothing to save. */
  isSame?: (draft: Value, saved: Value) => boolean;
  /** What stays of a draft whose changes are all saved when the saved value changes while the field is focused. */
  keep?: (draft: Value, saved: Value) => Value | null;
};

/**
 * A field that saves on leaving and a second after the last key; what others change shows while nothing is typed.
 * `save` says whether it saved: where it did not, and where the value is the saved one, the field shows the saved value
 * again once it is left. Its `base` is what was shown when typing began; none where an earlier save is not shown yet.
 */
export function useAutosave<Value>(
  saved: Value,
  save: (value: Value, base: Value | undefined) => boolean,
  // What differs by no more than a space behind a word: the next word may follow.
  {
    isSame = Object.is,
    keep = (draft, present) => (isSame(draft, present) ? draft : null),
  }: AutosaveOptions<Value> = {},
) {
  const store = useStore();
  const [draft, setDraft] = useState<{ value: Value } | null>(null);
  /** Saves that were begun, and that the row shows: until it shows all, what it shows is older than the draft. */
  const begun = useRef(0);
  const [shown, setShown] = useState(0);
  const known = useRef(saved);
  const unsaved = useRef<{ value: Value } | null>(null);
  const base = useRef<Value | undefined>(saved);
  const isFocused = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latestSave = useRef(save);
  latestSave.current = save;
  const latestSaved = useRef(saved);
  latestSaved.current = saved;

  const flush = () => {
    clearTimeout(timer.current);
    const pending = unsaved.current;
    unsaved.current = null;
    if (pending === null) return false;
    // What an earlier save will show may differ.
    if (base.current !== undefined && isSame(pending.value, latestSaved.current)) return false;
    if (!latestSave.current(pending.value, base.current)) return false;
    base.current = undefined;
    begun.current += 1;
    store.settled().then(() => setShown((saves) => saves + 1), reportError);
    return true;
  };
  useEffect(() => {
    // A page that is closed leaves no field; phones only hide theirs.
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener('beforeunload', () => void flush(), { signal });
    document.addEventListener('visibilitychange', () => void (document.hidden && flush()), { signal });
    return () => {
      ending.abort();
      flush();
    };
  }, []);
  // What was saved is shown by the row now.
  useEffect(() => {
    if (shown < begun.current) return;
    base.current ??= saved;
    if (saved === known.current) return;
    known.current = saved;
    if (unsaved.current !== null || draft === null) return;
    const kept = isFocused.current ? keep(draft.value, saved) : null;
    const next = kept === null ? null : { value: kept };
    // What was typed since this was shown is newer.
    setDraft((present) => (present === draft ? next : present));
  }, [saved, shown]);

  return {
    value: draft === null ? saved : draft.value,
    change(value: Value, when: 'now' | 'soon' | 'on-leave' = 'soon') {
      if (unsaved.current === null && base.current !== undefined) base.current = saved;
      unsaved.current = { value };
      setDraft({ value });
      clearTimeout(timer.current);
      if (when === 'now') flush();
      else if (when === 'soon') timer.current = setTimeout(flush, delayMilliseconds);
    },
    focus() {
      isFocused.current = true;
    },
    leave() {
      isFocused.current = false;
      if (!flush()) setDraft(null);
    },
    restore() {
      clearTimeout(timer.current);
      unsaved.current = null;
      setDraft(null);
    },
  };
}
