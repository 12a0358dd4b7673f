/** Maximum lengths in code points, and of a checklist in steps. */
export const longestTitle = 1_024;
export const longestNotes = 100_000;
export const longestChecklist = 200;
