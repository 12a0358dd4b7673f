import {
  type EntryDates,
  type Grammar,
  type GrammarOptions,
  maskSpans,
  type Piece,
  type Place,
  type Span,
  spanOf,
} from './piece.ts';
import { type NamedProject, readPlaces } from './places.ts';

/** The parsed text; missing values are null. */
export type Entry = EntryDates & {
  title: string;
  notes: string | null;
  /** The recognised pieces in use, in order; includes deadlines that the plan does not allow. */
  pieces: Piece[];
  deadlineDate: string | null;
  place: Place | null;
  isSomeday: boolean;
};

export type EntryOptions = GrammarOptions & {
  grammar: Grammar;
  projects: readonly NamedProject[];
  /** Names behind `#` for which a place was picked. */
  picked: ReadonlyMap<string, Place>;
  /** Deadlines belong to Premium: without it, their words stay in the title. */
  allowsDeadlines: boolean;
  /** Pieces that were turned into plain text, as written. */
  plain: ReadonlySet<string>;
};

type Kind = Piece['kind'];

/** «Quoted text» is never parsed. */
const quotePattern = /(?<=^|[\s(])(?:"[^"]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»)(?=$|[\s).,;:!?])/gu;
const notesPattern = /(?:^|\s)\/\/(?:\s|$)/u;

export function readEntry(text: string, options: EntryOptions): Entry {
  const quotes = [...text.matchAll(quotePattern)].map(spanOf);
  const plain = [...options.plain].flatMap((words) => occurrences(text, words));
  const masked = maskSpans(text, [...quotes, ...plain]);
  const notesMark = notesPattern.exec(masked);
  const titleEnd = notesMark?.index ?? text.length;
  const pieces = readPieces(masked.slice(0, titleEnd), options);
  const used = pieces.filter(({ kind }) => kind !== 'deadline' || options.allowsDeadlines);
  const title = titleOf(text.slice(0, titleEnd), used, shieldsOf(text, quotes, options));
  const notes = notesMark && text.slice(titleEnd + notesMark[0].length).trim();
  return {
    title: title || text.slice(0, titleEnd).trim(),
    notes: notes || null,
    // Without other words the recognised ones are the title.
    pieces: title ? pieces : [],
    ...meaningOf(title ? used : [], options),
  };
}

/** The quotes whose content would be parsed without them: only their marks are removed. */
function shieldsOf(text: string, quotes: readonly Span[], options: EntryOptions): readonly Span[] {
  if (quotes.length === 0) return quotes;
  const read = readAll(
    text.replaceAll(quotePattern, (quote) => ` ${quote.slice(1, -1)} `),
    options,
  );
  return quotes.filter(
    (quote) =>
      notesPattern.test(text.slice(quote.start + 1, quote.end - 1)) ||
      read.some(({ start, end }) => start < quote.end && end > quote.start),
  );
}

function occurrences(text: string, words: string): Span[] {
  const starts: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) starts.push(at);
  return starts.map((start) => ({ start, end: start + words.length }));
}

function readPieces(masked: string, options: EntryOptions): Piece[] {
  const all = readAll(masked, options).toSorted((left, right) => left.start - right.start);
  const isElsewhere = all.some(
    ({ kind }) => kind !== 'someday' && (kind !== 'deadline' || options.allowsDeadlines),
  );
  // What has a day or a project is not in Someday: then the word stays in the title.
  const ordered = isElsewhere ? all.filter(({ kind }) => kind !== 'someday') : all;
  return ordered.filter((piece) => isLast(piece, ordered));
}

function readAll(masked: string, options: EntryOptions): Piece[] {
  const places = readPlaces(masked, options.projects, options.picked);
  return [...places, ...options.grammar.read(maskSpans(masked, places), options)];
}

/** Of several dates, repeats or places the last one counts; the others stay in the title. */
function isLast(piece: Piece, pieces: readonly Piece[]): boolean {
  const later = pieces.filter(({ start }) => start > piece.start);
  if (piece.kind === 'time') return !later.some((other) => 'time' in other && other.time !== null);
  return !later.some((other) => other.kind === piece.kind && !isSameRepeat(piece, other));
}

/** «every week 9:00 until May» is one repeat in two pieces. */
function isSameRepeat(piece: Piece, other: Piece): boolean {
  return piece.kind === 'repeat' && other.kind === 'repeat' && piece.recurrence === other.recurrence;
}

/** Placeholders for a piece and for a quotation mark; no text contains these characters. */
const gap = '\uFFFF';
const quoteMark = '\uFFFE';

function titleOf(text: string, pieces: readonly Piece[], quotes: readonly Span[]): string {
  const marks = quotes.flatMap(({ start, end }) => [
    { start, end: start + 1, by: quoteMark },
    { start: end - 1, end, by: quoteMark },
  ]);
  const rest = [...pieces.map((piece) => ({ ...piece, by: gap })), ...marks]
    .toSorted((left, right) => right.start - left.start)
    .reduce((kept, { start, end, by }) => kept.slice(0, start) + by + kept.slice(end), text);
  return closeGaps(rest.replaceAll(/\s+/gu, ' ')).replaceAll(quoteMark, '').replaceAll(/\s+/gu, ' ').trim();
}

/** Takes along the punctuation around a piece: «Call Bob (fri), please» becomes «Call Bob, please». */
function closeGaps(text: string): string {
  return text
    .replaceAll(/[([] ?\uFFFF[ \uFFFF]*[)\]]/gu, gap)
    .replaceAll(/ ?\uFFFF[ \uFFFF]*/gu, gap)
    .replace(/^\uFFFF(?:[,;:]|[–—-] )?/u, '')
    .replace(/(?:[,;:]| [–—-])?\uFFFF$/u, '')
    .replaceAll(/,?\uFFFF(?=[,.;:?)\]]|!(?![\p{L}\p{N}]))|(?<=[([])\uFFFF/gu, '')
    .replaceAll(gap, ' ');
}

function meaningOf(
  pieces: readonly Piece[],
  { grammar, now }: EntryOptions,
): Omit<Entry, 'title' | 'notes' | 'pieces'> {
  return {
    ...grammar.datesOf(pieces, now),
    deadlineDate: lastOf(pieces, 'deadline')?.date ?? null,
    place: lastOf(pieces, 'place')?.place ?? null,
    isSomeday: lastOf(pieces, 'someday') !== undefined,
  };
}

/** Of several the last one counts. */
export function lastOf<K extends Kind>(
  pieces: readonly Piece[],
  kind: K,
): Extract<Piece, { kind: K }> | undefined {
  return pieces.findLast((piece): piece is Extract<Piece, { kind: K }> => piece.kind === kind);
}
