import type { AppRecurrence } from '#shared/app/app-protocol.ts';

/** Positions in a text. */
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
  /** Whether numbers as «3/12» start with the month; the browser's language says it otherwise. */
  monthBeforeDay?: boolean;
  /** Whether the text is a day, so that words as «sat» and «march» are days, too. */
  isDateField?: boolean;
};

/**
 * The words of one language. Characters that are not to be read are replaced by `maskCharacter` before. Pieces may come
 * in any order and do not overlap.
 */
export type Grammar = {
  /** Without places, which are the same in every language. */
  read(text: string, options: GrammarOptions): Piece[];
  /** The tasks or items of a checklist that the text holds, one in a line. */
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

/** The text with these parts made unreadable; positions stay. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  return spans.reduce(
    (masked, { start, end }) =>
      masked.slice(0, start) + maskCharacter.repeat(end - start) + masked.slice(end),
    text,
  );
}
