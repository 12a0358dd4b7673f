import type { AppRecurrence } from '#shared/app/app-protocol.ts';

export type Span = { start: number; end: number };

/** What a grammar recognises in the text of a new task. */
export type Piece = Span & PieceMeaning;

type PieceMeaning =
  | { kind: 'date'; date: string; time: string | null }
  | { kind: 'time'; time: string }
  | { kind: 'repeat'; recurrence: AppRecurrence }
  | { kind: 'deadline'; date: string }
  | { kind: 'place'; place: Place }
  | { kind: 'someday' };

export type Line = { text: string; isTicked: boolean };

export type Place = { projectId: string; sectionId: string | null };

/** Civil date and time in the account's time zone. */
export type CivilNow = { date: string; time: string };

export type GrammarOptions = {
  now: CivilNow;
  /** Whether dates such as «3/12» start with the month; by default according to the browser's language. */
  monthBeforeDay?: boolean;
  /** Whether the text is a date field's, in which «sat» and «march» are always dates. */
  isDateField?: boolean;
};

export type EntryDates = {
  dueDate: string | null;
  reminderTime: string | null;
  recurrence: AppRecurrence | null;
};

/** The grammar of one language. It ignores `maskCharacter`. Pieces do not overlap and may be in any order. */
export type Grammar = {
  /** Without places, which are the same in every language. */
  read(text: string, options: GrammarOptions): Piece[];
  /** What the pieces say of the day; a repeat or a time alone implies one. */
  datesOf(pieces: readonly Piece[], now: CivilNow): EntryDates;
  /** The tasks or checklist items of the text, one per line. */
  readLines(text: string): Line[];
  /** The text as one task with notes. */
  readMessage(text: string): { title: string; notes: string };
  /** The whole text as a date, for date fields. */
  readDate(text: string, options: GrammarOptions): { date: string; time: string | null } | null;
};

const maskCharacter = '"';

export function spanOf({ 0: found, index }: RegExpExecArray): Span {
  return { start: index, end: index + found.length };
}

/** Masks parts of the text; positions are unchanged. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  return spans.reduce(
    (masked, { start, end }) =>
      masked.slice(0, start) + maskCharacter.repeat(end - start) + masked.slice(end),
    text,
  );
}
