import type { HTMLAttributes } from 'preact';

/** Of a row: lists are grids of rows, not tables. What is inside takes the focus. */
export function Cell(props: HTMLAttributes<HTMLSpanElement>) {
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as said above
  return <span role="gridcell" {...props} />;
}
