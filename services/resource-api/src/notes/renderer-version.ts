/** Stored beside each rendering, which lasts until its notes change. Raised when the same notes become other HTML. */
export const notesRendererVersion = 2;
