/** The words of a text, for lists of which each entry has no blank. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
