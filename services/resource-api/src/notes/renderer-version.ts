/**
 * Stored beside each rendering, which lasts until its notes change or the operator has earlier ones made again
 * (`admin/notes-admin.ts`). Raised when the same notes become other HTML.
 */
export const notesRendererVersion = 2;
