/** A cell of a row: lists are grids of rows, not tables. Its content takes the focus. */
export const cell = { role: 'gridcell' } as const;
