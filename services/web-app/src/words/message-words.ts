import { plural } from './plural.ts';

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
  suspendedHint: 'You can read everything and change nothing. Ask whoever runs this service.',
  suspendedWaiting: (count: number) =>
    plural(count, { one: '# change waits until then.', other: '# changes wait until then.' }),
  refused: (count: number) =>
    plural(count, { one: '# change was not accepted:', other: '# changes were not accepted:' }),
  refusedTitle: 'What was not accepted',
  show: 'Show',
  copy: 'Copy',
  copied: 'Copied',
  tryAgain: 'Try again',
  discard: 'Discard',
  typed: 'What you typed',
  requestId: (id: string) => `Request ${id}`,
  newVersion: 'A new version is ready.',
  loadIt: 'Load it',
  review: 'Review',
  dismiss: 'Dismiss',
  changes: 'Changes by an assistant',
  signedOut: 'You are signed out',
  signedOutHint: 'Your session has ended. Sign in to go on.',
  signedOutWaiting: (count: number) =>
    plural(count, {
      one: '# change is kept on this device and sent when you sign in with the same account.',
      other: '# changes are kept on this device and sent when you sign in with the same account.',
    }),
  signIn: 'Sign in',
  projectLimit: 'Five projects are the limit of the free plan',
  projectLimitHint:
    'Complete one or move it to the Trash, and there is room for the next. Whoever runs this service can lift the limit.',
  areaLimit: 'Two areas are the limit of the free plan',
  areaLimitHint:
    'Delete one, and there is room for the next: its projects stay. Whoever runs this service can lift the limit.',
  otherLimit: 'Your plan does not include this',
  keepAsTask: 'Keep it as a task',
  showProjects: 'Show my projects',
  close: 'Close',
  notLoaded: 'This could not be loaded. Nothing is lost; try again with a connection.',
};
