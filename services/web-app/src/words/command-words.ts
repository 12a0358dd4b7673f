import type { UndoResponse } from '#shared/app/app-protocol.ts';
import { plural } from './plural.ts';
import { quotedTitle, quotedTitles, taskCount } from './quoted-title.ts';

/** Texts of a toast. `more` follows `text`; Undo omits it, as it would be read as the undo's result. */
export type ToastText = string | { text: string; more: string };

function repeatsEnd(count: number, isOwn: boolean = false): string {
  return isOwn ? 'Its repeat ends.' : plural(count, { one: '# repeat ends.', other: '# repeats end.' });
}

/** By the last part of the path, or the field. */
const changes = new Map([
  ['position', 'move'],
  ['areaId', 'move'],
  ['title', 'rename'],
  ['description', 'notes'],
  ['checklist', 'checklist'],
]);

/** The first reason is the service's message. */
function whatStays({ kept: [first], keptRecords }: UndoResponse): string {
  const more = keptRecords > 1 ? ` and ${(keptRecords - 1).toLocaleString('en')} more` : '';
  return first === undefined ? '' : `${quotedTitle(first.title)}${more}. ${first.reason}`;
}

const outOf = (project: string | null) => (project === null ? '' : `, out of ${project}`);

export const commandWords = {
  added(titles: readonly string[], project: string | null = null, day: string | null = null, done = 0) {
    const place = project === null ? '' : ` to ${project}`;
    const ticked = done === titles.length ? ' as done' : done > 0 ? `, ${done} of them done` : '';
    return `Added ${quotedTitles(titles)}${place}${day === null ? '' : ` for ${day}`}${ticked}`;
  },
  completed: (titles: readonly string[]) => `Completed ${quotedTitles(titles)}`,
  reopened: (titles: readonly string[]) => `Reopened ${quotedTitles(titles)}`,
  notReopened: (titles: readonly string[]) =>
    `Not reopened: ${quotedTitles(titles)}. The project is closed or in the Trash`,
  skipped: (titles: readonly string[]) => `Skipped ${quotedTitles(titles)} this time`,
  cancelled(titles: readonly string[], repeats: number): ToastText {
    const text = `Cancelled ${quotedTitles(titles)}`;
    return repeats === 0 ? text : { text, more: repeatsEnd(repeats, titles.length === 1) };
  },
  completedProject(titles: readonly string[], repeats: number): ToastText {
    const text = `Completed ${quotedTitles(titles)}`;
    return repeats === 0 ? text : { text, more: repeatsEnd(repeats) };
  },
  reopenedProject(titles: readonly string[], hasClosedTasks: boolean): ToastText {
    const text = `Reopened ${quotedTitles(titles)}`;
    return hasClosedTasks ? { text, more: 'Its closed tasks stay closed.' } : text;
  },
  trashed: (titles: readonly string[]) => `Moved ${quotedTitles(titles)} to the Trash`,
  wentWith: (count: number) => `${taskCount(count)} went with it`,
  restored: (titles: readonly string[]) => `Restored ${quotedTitles(titles)}`,
  restoredOutside: (
    titles: readonly string[],
    day: string | null,
    project: string | null,
    isProjectClosed: boolean,
  ): ToastText => ({
    text: `Restored ${quotedTitles(titles)} ${day === null ? 'to the Inbox' : `for ${day}`}`,
    more:
      `Its project${project === null ? '' : ` ${quotedTitle(project)}`} ` +
      `${isProjectClosed ? 'is closed' : 'stays in the Trash'}.`,
  }),
  moved: (titles: readonly string[], place: string) => `Moved ${quotedTitles(titles)} to ${place}`,
  staysOnDay: (titles: readonly string[], project: string | null) =>
    `Not in the Inbox${outOf(project)}: ${quotedTitles(titles)} ` +
    `${titles.length === 1 ? 'has its day' : 'have their days'}`,
  planned: (titles: readonly string[], day: string) => `Planned ${quotedTitles(titles)} for ${day}`,
  shifted: (titles: readonly string[], days: number) =>
    `Moved ${quotedTitles(titles)} by ${plural(Math.abs(days), { one: '# day', other: '# days' })}` +
    `${days < 0 ? ', earlier' : ''}`,
  noDateToRemove: 'There is no date to remove.',
  unplanned: (titles: readonly string[]) => `Removed the date of ${quotedTitles(titles)}`,
  someday: (titles: readonly string[], project: string | null, hadDeadline: boolean) =>
    `Moved ${quotedTitles(titles)} to Someday${outOf(project)}${hadDeadline ? ', without the deadline' : ''}`,
  sectionDeleted: (titles: readonly string[]) => `Deleted the section ${quotedTitles(titles)}, not its tasks`,
  areaDeleted: (titles: readonly string[]) => `Deleted the area ${quotedTitles(titles)}, not its projects`,
  changeOf: (field: string, titles: readonly string[]) =>
    `${changes.get(field) ?? 'change'} of ${quotedTitles(titles)}`,
  undone: (label: string) => `Undone: ${label}`,
  nothingToUndo: 'Nothing to undo since this page was opened. Activity has what was sent.',
  nothingLeft: (label: string) => `Nothing left to undo: ${label}`,
  notKept: 'Not done: this browser has no room left to keep the change.',
  undoOutcome(answer: UndoResponse, label: string) {
    const stays = whatStays(answer);
    if (answer.undone > 0) return stays ? `Undone, except ${stays}` : commandWords.undone(label);
    return stays ? `Not undone: ${stays}` : commandWords.nothingLeft(label);
  },
  redone: (label: string) => `Done again: ${label}`,
  nothingToRedo: 'Nothing to do again.',
  notAllRedone: (answer: UndoResponse, label: string) =>
    `${answer.undone > 0 ? 'Done again, except' : 'Not done again:'} ${whatStays(answer) || label}`,
  next: (day: string) => `Next ${/^to(?:day|morrow)$/.test(day) ? '' : 'on '}${day}`,
  lastSkipped: 'There is no next one: the task is cancelled.',
  onAnotherDay: 'Meanwhile it was skipped or moved to another day, and is open there.',
  projectInTrash: (title: string) => `Its project ${quotedTitle(title)} is in the Trash.`,
  placeGone: 'The project or section it was for was deleted.',
  inTrash: 'It is in the Trash.',
  changedMeanwhile: 'It was changed elsewhere meanwhile.',
  inbox: 'the Inbox',
  somedayPlace: 'Someday',
};
