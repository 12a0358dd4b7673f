import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';

const delayMilliseconds = 1000;

type AutosaveOptions<Value> = {
  isSame?: (draft: Value, saved: Value) => boolean;
  /** The draft to keep when the saved value changes while the field has the focus and the draft is saved. */
  keep?: (draft: Value, saved: Value) => Value | null;
};

/**
 * A field that saves on blur and a second after the last key. Changes by others are shown unless something is
 * being typed. `save` returns whether it saved; if not, or if the value equals the saved one, the field shows
 * the saved value after the blur. `base` is the value shown when typing began; undefined while an earlier
 * save is not shown yet.
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
  /** Saves started, and saves shown by the row: until they are equal, the row is older than the draft. */
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
    // The result of the earlier save may differ.
    if (base.current !== undefined && isSame(pending.value, latestSaved.current)) return false;
    if (!latestSave.current(pending.value, base.current)) return false;
    base.current = undefined;
    begun.current += 1;
    store.settled().then(() => setShown((saves) => saves + 1), reportError);
    return true;
  };
  useEffect(() => {
    // Closing a page does not blur its fields, and phones only hide pages.
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener('beforeunload', () => void flush(), { signal });
    document.addEventListener('visibilitychange', () => void (document.hidden && flush()), { signal });
    return () => {
      ending.abort();
      flush();
    };
  }, []);
  // The row shows the saved value now.
  useEffect(() => {
    if (shown < begun.current) return;
    base.current ??= saved;
    if (saved === known.current) return;
    known.current = saved;
    if (unsaved.current !== null || draft === null) return;
    const kept = isFocused.current ? keep(draft.value, saved) : null;
    const next = kept === null ? null : { value: kept };
    // A draft typed meanwhile is newer.
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
