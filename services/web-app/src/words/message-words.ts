import { plural } from './plural.ts';

/** Strips and toasts. */
export const messageWords = {
  undo: 'Undo',
  messages: 'Messages',
  offline: 'Offline.',
  offlineHint: 'What you change waits on this device and is sent when you are back.',
  waiting: (count: number) =>
    plural(count, {
      one: '# change waits on this device and is sent when you are back.',
      other: '# changes wait on this device and are sent when you are back.',
    }),
  suspended: 'Your account is suspended.',
  suspendedHint: 'You can read everything and change nothing. Ask the operator of this service.',
  suspendedWaiting: (count: number) =>
    plural(count, { one: '# change waits until then.', other: '# changes wait until then.' }),
  refused: (count: number) =>
    plural(count, { one: '# change was not accepted:', other: '# changes were not accepted:' }),
  notesAsked: 'Notes changed on both sides:',
  show: 'Show',
  newVersion: 'A new version is ready.',
  loadIt: 'Load it',
  notLoaded: 'This could not be loaded. Nothing is lost; try again with a connection.',
};
