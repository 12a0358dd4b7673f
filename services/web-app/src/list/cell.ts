/**
 * A cell of a row: lists are grids of rows, not tables. Its content takes the focus. A function instead of a
 * component, since rows have many.
 */
export const cell = { role: 'gridcell' } as const;
