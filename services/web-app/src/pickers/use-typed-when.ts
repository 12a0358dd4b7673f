import { useEffect, useState } from 'preact/hooks';
import { civilNow, grammar, loadGrammar } from '../quick-add/load-grammar.ts';
import { readWhen } from '../quick-add/read-when.ts';
import { useStore } from '../store/store-context.ts';

/** The text typed into a picker's field, and the parsed days, times and repeats: `read`, or null. */
export function useTypedWhen() {
  const store = useStore();
  const [text, setText] = useState('');
  useEffect(() => void loadGrammar(), []);
  const today = store.today.value;
  const now = civilNow(store.timeZone.value);
  const read = text.trim() === '' ? null : readWhen(text, { grammar: grammar.value, now });
  const isPrefix = ({ label }: { label: string }) =>
    label.toLowerCase().startsWith(text.trim().toLowerCase());
  return { typed: { text, onText: setText }, today, now, read, isPrefix };
}
