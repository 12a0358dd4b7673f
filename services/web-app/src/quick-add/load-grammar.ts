import { type ReadonlySignal, signal } from '@preact/signals';
import { timeIn } from '../dates/civil-date.ts';
import type { CivilNow, Grammar } from './piece.ts';

/** Reads nothing: what is typed before the grammar has come, or where it cannot. */
const plainGrammar: Grammar = {
  read: () => [],
  readDate: () => null,
  readLines: (text) =>
    text.split('\n').flatMap((line) => (line.trim() ? { text: line, isTicked: false } : [])),
  readMessage: (text) => ({ title: text, notes: '' }),
};
const present = signal<Grammar>(plainGrammar);
let loading: Promise<Grammar> | null = null;

/** The grammar of the app's language, once it is loaded: with chrono-node it is a chunk of its own. */
export const grammar: ReadonlySignal<Grammar> = present;

export function loadGrammar(): Promise<Grammar> {
  loading ??= import('./english-grammar.ts').then(
    ({ englishGrammar }) => {
      present.value = englishGrammar;
      return englishGrammar;
    },
    () => {
      loading = null;
      return plainGrammar;
    },
  );
  return loading;
}

/** Date and time on a clock in that zone. */
export function civilNow(timeZone: string, today: string): CivilNow {
  return { date: today, time: timeIn(timeZone, new Date()) };
}
