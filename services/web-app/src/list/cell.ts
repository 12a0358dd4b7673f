/** Of a row: lists are grids of rows, not tables. What is inside takes the focus. No component: rows have many. */
export const cell = { role: 'gridcell' } as const;
