import { type ReadonlySignal, signal } from '@preact/signals';
import { timeIn, todayIn } from '../dates/civil-date.ts';
import type { CivilNow, Grammar } from './piece.ts';

/** Recognises nothing: used until the grammar is loaded, or if it cannot be. */
const plainGrammar: Grammar = {
  read: () => [],
  readDate: () => null,
  datesOf: () => ({ dueDate: null, reminderTime: null, recurrence: null }),
  readLines: (text) =>
    text.split('\n').flatMap((line) => (line.trim() ? { text: line, isTicked: false } : [])),
  readMessage: (text) => ({ title: text, notes: '' }),
};
const present = signal<Grammar>(plainGrammar);
let loading: Promise<void> | null = null;

/** The grammar of the app's language, once it is loaded: with chrono-node it is a chunk of its own. */
export const grammar: ReadonlySignal<Grammar> = present;

/** Resolves when the grammar is loaded or cannot be; a closing page adds the text without it. */
export function loadGrammar(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    window.addEventListener('pagehide', () => resolve());
    const take = ({ englishGrammar }: { englishGrammar: Grammar }) => {
      present.value = englishGrammar;
    };
    const fail = () => {
      loading = null;
    };
    import('./english-grammar.ts').then(take, fail).then(resolve, reject);
  });
  return loading;
}

export function civilNow(timeZone: string): CivilNow {
  const now = new Date();
  return { date: todayIn(timeZone, now), time: timeIn(timeZone, now) };
}
