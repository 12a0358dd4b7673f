import { plural } from './plural.ts';
import { quotedTitle } from './quoted-title.ts';

const duration = (hours: number) =>
  hours < 48
    ? plural(hours, { one: '# hour', other: '# hours' })
    : plural(Math.round(hours / 24), { one: '# day', other: '# days' });

/** Dialogs that the service's answers open, and the strips that load later. */
export const dialogWords = {
  refusedTitle: 'What was not accepted',
  placeOf: (place: number, count: number) => `${place} of ${count}`,
  showNext: 'Show the next',
  andMore: (count: number) => ` and ${count.toLocaleString('en')} more.`,
  copy: 'Copy',
  copied: 'Copied',
  linkCopied: 'Copied the link',
  linkNotCopied: 'The link could not be copied.',
  linkNotYet: 'The task has no link before it is sent.',
  needsConnection: (page: string) => `“${page.trim()}” needs a connection.`,
  tryAgain: 'Try again',
  intoInbox: 'Put it in the Inbox',
  withoutProject: (day: string) => `Keep it for ${day}, without a project`,
  restoreFirst: 'Restore it and apply the change',
  reopenFirst: 'Open it again and apply the change',
  closedMeanwhile: (status: string) => `It was ${status} meanwhile.`,
  discard: 'Discard',
  typed: 'What you typed',
  requestId: (id: string) => `Request ${id}`,
  nothingHint: 'This address leads to nothing, or to something that is gone.',
  newVersion: 'A new version is ready.',
  loadIt: 'Load it',
  sending: (count: number) =>
    `${count.toLocaleString('en')} changes are being sent. Until then they are on this device alone.`,
  suspended: 'Your account is suspended.',
  suspendedHint: 'You can read everything and change nothing. Ask the operator of this service.',
  suspendedWaiting: (count: number) =>
    plural(count, { one: '# change waits until then.', other: '# changes wait until then.' }),
  refused: (count: number) =>
    plural(count, { one: '# change was not accepted:', other: '# changes were not accepted:' }),
  notesAsked: 'Notes changed on both sides:',
  show: 'Show',
  review: 'Review',
  unknownZone: (zone: string, own: string) =>
    `This browser does not know your time zone, ${zone}. Days and times are those of this device, ${own}.`,
  wrongClock: (hours: number) =>
    `The clock of this device is ${duration(Math.abs(hours))} ${hours > 0 ? 'fast' : 'slow'}, ` +
    'so Today may be another day. Set the clock, then load the page again.',
  hide: 'Hide this',
  signedOut: 'You are signed out',
  signedOutHint: 'Your session has ended, or needs a second factor now. Sign in to go on.',
  signedOutWaiting: (count: number) =>
    plural(count, {
      one: '# change is kept on this device and sent when you sign in with the same account.',
      other: '# changes are kept on this device and sent when you sign in with the same account.',
    }),
  signIn: 'Sign in',
  projectLimit: 'Five projects are the limit of the free plan',
  projectLimitHint:
    'Complete one or move it to the Trash, and there is room for the next. ' +
    'The operator of this service can lift the limit.',
  areaLimit: 'Two areas are the limit of the free plan',
  areaLimitHint:
    'Delete one, and there is room for the next: its projects stay. ' +
    'The operator of this service can lift the limit.',
  otherLimit: 'Your plan does not include this',
  itemOf: (field: string) => `An item of the ${field}`,
  notAccepted: (title: string) => `${quotedTitle(title)} was not accepted.`,
  yourPlan: 'Your plan',
  keepAsTask: 'Keep it as a task',
  showProjects: 'Show my projects',
  showAreas: 'Show my areas',
  close: 'Close',
};
