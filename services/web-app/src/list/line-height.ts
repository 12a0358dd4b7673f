import type { ListLine } from './list-group.ts';

/** Heights of lines as list.css sets them in a virtual list, in CSS pixels of a text of the usual size. */
const desktop = { row: 40, twoLines: 40, heading: 36, day: 32, emptyDays: 32, month: 32, more: 56, add: 40 };
const phone = { row: 48, twoLines: 68, heading: 44, day: 32, emptyDays: 32, month: 32, more: 60, add: 56 };
const gapAbove = { plain: 28, day: 20, emptyDays: 8, month: 32 };

/** `scale`: how much larger the browser is set to show text. */
export function lineHeight(
  line: ListLine,
  isPhone: boolean,
  scale: number,
  hasTwoLines: (id: string) => boolean,
): number {
  const heights = isPhone ? phone : desktop;
  if (line.kind === 'row')
    return scale * (isPhone && hasTwoLines(line.ref.id) ? heights.twoLines : heights.row);
  if (line.kind === 'footer') return scale * heights[line.footer];
  const { kind } = line.heading;
  return (line.isFirst ? 0 : gapAbove[kind]) + scale * heights[kind === 'plain' ? 'heading' : kind];
}

export const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
