/** Screens below the app's path with the path of their name; Today is also the app's path itself. */
export const appScreens = [
  'today',
  'upcoming',
  'inbox',
  'anytime',
  'someday',
  'logbook',
  'trash',
  'activity',
  'assistants',
  'lists',
] as const;
export type Screen = (typeof appScreens)[number];
/** Screens of one record, `area/{id}`. */
export const appRecordScreens = ['area', 'project', 'task'] as const;
