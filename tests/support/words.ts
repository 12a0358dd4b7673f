/** Splits a text into words, for lists of entries without blanks. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
