import { quotedTitle } from './quoted-title.ts';

export const paletteWords = {
  results: 'Results',
  withTask: (title: string) => `With ${quotedTitle(title)}`,
  withTasks: (count: number) => `With ${count} selected tasks`,
  planTomorrow: 'Plan for tomorrow',
  tasks: 'Tasks',
  lists: 'Lists',
  commands: 'Commands',
  nothing: (text: string) => `Nothing found for ${quotedTitle(text)}.`,
  addsIt: (keys: string) => ` ${keys} adds it as a task.`,
  more: 'There is more: type more of it. The Logbook has everything that is done.',
  searching: 'Searching notes and done tasks…',
  choose: 'Choose',
  open: 'Open',
  addAsTask: (text: string) => `Add ${quotedTitle(text)} as a task`,
  closed: (status: 'open' | 'completed' | 'cancelled', day: string) =>
    `${status === 'cancelled' ? 'Cancelled' : 'Done'} ${day}`,
  project: { active: 'Project', completed: 'Completed project', cancelled: 'Cancelled project' },
  area: 'Area',
  settings: 'Settings',
  /** With their pages, and other words by which they are looked for. */
  settingsPages: [
    ['Settings', '', 'account profile preferences options'],
    ['Light or dark', '#appearance', 'theme mode appearance colours'],
    ['Reminders and digest', '/reminders', 'notifications push mail'],
    ['Password and passkeys', '/security', 'security two-factor'],
    ['Export or import', '/data', 'download backup'],
    ['Sign out (in Settings)', '', 'log out logout'],
  ],
  keysAlso: 'keyboard shortcuts help',
};
