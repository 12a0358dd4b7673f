/** Maximum lengths: of texts in code points, of a checklist in steps. */
export const longestTitle = 1_024;
export const longestNotes = 100_000;
export const longestChecklist = 200;
/** Far above normal use: a project is always returned with all its sections. */
export const mostSections = 1_000;
