/** How many characters (code points) a text has at most, and how many steps a checklist. */
export const longestTitle = 1_024;
export const longestNotes = 100_000;
export const longestChecklist = 200;
