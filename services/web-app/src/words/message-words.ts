import { plural } from './plural.ts';

export const messageWords = {
  undo: 'Undo',
  messages: 'Messages',
  offline: 'Offline.',
  offlineHint: 'What you change waits on this device and is sent when you are back.',
  nothingHere: 'Your tasks are not on this device. They come when you are back.',
  waiting: (count: number) =>
    plural(count, {
      one: '# change waits on this device and is sent when you are back.',
      other: '# changes wait on this device and are sent when you are back.',
    }),
  notLoaded: 'This could not be loaded. Load the page again with a connection.',
  notStored: 'This browser stores nothing: stay here until all is sent.',
};
