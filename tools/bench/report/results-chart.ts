import type { Finding } from './finding.ts';
import type { CaseResult } from './results-file.ts';

/*
 * Everything measured with its interval, divided by its goal (or the goal by it, where less is better): right of the line is
 * reached. The scale is logarithmic, so that twice as good and half as good are equally far from the line.
 */
const width = 940;
/** For the longest of `what`; what does not fit would be cut off on the left. */
const labelWidth = 440;
const rowHeight = 24;
const top = 40;
const bottom = 34;
const right = 30;
const leastShown = 1 / 16;
const greatestShown = 16;
const ticks = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
/** Told apart without colour by their shapes. */
const marks = {
  reached: { colour: '#1a7f37', shape: 'circle' },
  missed: { colour: '#b3261e', shape: 'square' },
  open: { colour: '#8a6100', shape: 'ring' },
  told: { colour: '#57606a', shape: 'ring' },
} as const;

type Row = { what: string; low: number; median: number; high: number; state: Finding['state'] };

export function drawChart(results: readonly CaseResult[]): string {
  const rows = results.flatMap(({ findings }) => findings.flatMap(toRow));
  const height = top + rows.length * rowHeight + bottom;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>What was measured against its goal</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${place(1)}" y="16" text-anchor="middle" fill="#1f2328">goal</text>`,
    `<text x="${place(1) + 30}" y="16" fill="#57606a">better →</text>`,
    ...ticks.map((tick) => tickLine(tick, height)),
    ...rows.map((row, index) => drawRow(row, top + (index + 0.5) * rowHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function toRow({ what, estimate, bound, state }: Finding): Row[] {
  if (estimate === undefined || bound === undefined) return [];
  const { low, median, high } = estimate;
  if ('atLeast' in bound) {
    const scaled = [low, median, high].map((value) => value / bound.atLeast);
    return [{ what, low: scaled[0] ?? 0, median: scaled[1] ?? 0, high: scaled[2] ?? 0, state }];
  }
  const scaled = [high, median, low].map((value) => bound.atMost / value);
  return [{ what, low: scaled[0] ?? 0, median: scaled[1] ?? 0, high: scaled[2] ?? 0, state }];
}

function tickLine(tick: number, height: number): string {
  const x = place(tick);
  const label = tick < 1 ? `1/${1 / tick}` : `${tick}×`;
  const stroke = tick === 1 ? 'stroke="#1f2328" stroke-width="1.5"' : 'stroke="#d0d7de"';
  return `<line x1="${x}" y1="${top - 16}" x2="${x}" y2="${height - bottom}" ${stroke}/><text x="${x}" y="${height - bottom + 18}" text-anchor="middle" fill="#57606a">${label}</text>`;
}

function drawRow({ what, low, median, high, state }: Row, y: number): string {
  const { colour, shape } = marks[state];
  const x = place(median);
  const mark =
    shape === 'square'
      ? `<rect x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" fill="${colour}"/>`
      : `<circle cx="${x}" cy="${y}" r="5" fill="${shape === 'ring' ? '#ffffff' : colour}" stroke="${colour}" stroke-width="2"/>`;
  return [
    `<text x="${labelWidth - 10}" y="${y + 4}" text-anchor="end" fill="#1f2328">${escapeText(what.replaceAll('`', ''))}</text>`,
    `<line x1="${place(low)}" y1="${y}" x2="${place(high)}" y2="${y}" stroke="${colour}" stroke-width="2"/>`,
    mark,
  ].join('');
}

function place(value: number): number {
  const shown = Math.min(greatestShown, Math.max(leastShown, value));
  const share = Math.log(shown / leastShown) / Math.log(greatestShown / leastShown);
  return Math.round(10 * (labelWidth + share * (width - labelWidth - right))) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
