/** Stored beside each rendering: a sanitiser upgrade raises it, and older renderings are made again. */
export const notesRendererVersion = 1;
