/** The tags showdown looks for as blocks of raw HTML. */
const blockTag =
  /<(?:pre|div|h[1-6]|blockquote|table|[dou]l|(?:no)?script|form|fieldset|iframe|math|style|section|header|footer|nav|article|aside|address|audio|canvas|figure|hgroup|output|video|p)\b/gi;

/**
 * Estimates the steps showdown needs beyond those proportional to the length, for the constructs that make
 * it slow: for each opening mark it looks for the end through the rest of the text, and each block it finds
 * makes it copy the text. One step takes about 2 to 5 nanoseconds. Measured, not complete: what escapes the
 * estimate ends at the time budget.
 */
export function conversionWork(markdown: string): number {
  const { length } = markdown;
  const unclosedBrackets = surplus(count(markdown, /\[/g), count(markdown, /\]/g));
  const unclosedBlocks = surplus(count(markdown, blockTag), count(markdown, /<\//g));
  const escapedAngles = count(markdown, /\\</g);
  const linkDefinitions = count(markdown, /^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:/gm);
  const lists = listCount(markdown);
  return (
    (unclosedBrackets + unclosedBlocks + escapedAngles + linkDefinitions + lists) * length +
    longest(markdown, /`+/g) ** 2 * length +
    longest(markdown, /[*_~]+/g) ** 2 +
    wordScans(markdown) +
    barScans(markdown) +
    blankScans(markdown) +
    quoteDepth(markdown) ** 4
  );
}

const surplus = (openings: number, closings: number): number => Math.max(0, openings - closings);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function longest(text: string, pattern: RegExp): number {
  return (text.match(pattern) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Addresses end at a blank: their starts cost within one word, each for every end it might have. */
function wordScans(markdown: string): number {
  const words = markdown.split(/\s+/).filter((word) => word.length >= 100 && /\]\(|:\/\/|www\./i.test(word));
  return words.reduce((sum, word) => sum + addressStarts(word) * word.length ** 2, 0);
}

function addressStarts(word: string): number {
  return surplus(count(word, /\(/g), count(word, /\)/g)) + count(word, /:\/\/|www\./gi);
}

/** Lines with a list's mark after a line without one. */
function listCount(markdown: string): number {
  const isItem = (line: string): boolean => /^ {0,3}(?:[*+-]|\d+\.) /.test(line);
  const lines = markdown.split('\n').filter((line) => line !== '');
  return lines.filter((line, index) => isItem(line) && !isItem(lines[index - 1] ?? '')).length;
}

/** A table's first line is searched for its last bar, once for each bar. */
function barScans(markdown: string): number {
  return markdown.split('\n').reduce((sum, line) => sum + count(line, /\|/g) * line.length, 0);
}

/** A run of blanks or empty lines is searched for its end from each of its places. A tab becomes four blanks. */
function blankScans(markdown: string): number {
  const runs = markdown.trim().length > 0 ? markdown.match(/[\t\n\r ]{100,}/g) : undefined;
  return (runs ?? []).reduce((sum, run) => sum + (run.length + 3 * count(run, /\t/g)) ** 2 / 2, 0);
}

/** Each level of a quotation is converted again with all levels inside it. */
function quoteDepth(markdown: string): number {
  const marks = markdown.match(/^[ \t]*>[ \t>]*/gm) ?? [];
  return marks.reduce((deepest, mark) => Math.max(deepest, count(mark, />/g)), 0);
}
