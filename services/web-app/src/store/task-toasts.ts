import { formatDay } from '../dates/format-day.ts';
import { commandWords, type ToastText } from '../words/command-words.ts';
import { cutTitle } from '../words/quoted-title.ts';
import type { CommandContext } from './command-context.ts';
import { viewDate } from './order.ts';
import type { TaskRow } from './row-types.ts';
import type { Destination, NewTask } from './task-drafts.ts';

/** Toasts of commands on tasks that name days, lists and projects. */
export function createTaskToasts({ rows, today }: Pick<CommandContext, 'rows' | 'today'>) {
  const dayName = (date: string) => formatDay(date, today());
  const projectTitle = (id: string | null | undefined) => rows.projects.find(id ?? '')?.title ?? null;

  /** The project that all of them were in. */
  function formerProject(found: TaskRow[]): string | null {
    const [project, ...others] = new Set(found.map((task) => task.projectId));
    return others.length > 0 ? null : projectTitle(project);
  }

  function placeName(destination: Destination): string {
    if ('list' in destination)
      return destination.list === 'inbox' ? commandWords.inbox : commandWords.somedayPlace;
    const section = rows.sections.find(destination.sectionId ?? '')?.title ?? null;
    const titles = [projectTitle(destination.projectId), section];
    return titles.flatMap((title) => (title === null ? [] : cutTitle(title))).join(' / ');
  }

  return {
    /** Names their place if they share it, since the current screen may not show them. */
    added(inputs: readonly NewTask[], done: number): string {
      const shared = <Name extends 'projectId' | 'dueDate' | 'list'>(name: Name) => {
        const value = inputs[0]?.[name] ?? null;
        return inputs.every((input) => (input[name] ?? null) === value) ? value : null;
      };
      const [projectId, dueDate, list] = [shared('projectId'), shared('dueDate'), shared('list')];
      const place = projectId === null ? list && dueDate === null && { list } : { projectId };
      return commandWords.added(
        inputs.map((input) => input.title),
        place ? placeName(place) : null,
        dueDate && dayName(dueDate),
        done,
      );
    },

    moved(titles: string[], found: TaskRow[], destination: Destination): string {
      const isInbox = 'list' in destination && destination.list === 'inbox';
      return isInbox && found.every((task) => viewDate(task) !== null)
        ? commandWords.staysOnDay(titles, formerProject(found))
        : commandWords.moved(titles, placeName(destination));
    },

    planned(titles: string[], date: string, time: string | null = null): string {
      return commandWords.planned(titles, time === null ? dayName(date) : `${dayName(date)}, ${time}`);
    },

    /** The first task whose project no longer exists. */
    restored(titles: string[], outside: TaskRow | undefined): ToastText {
      if (outside === undefined || titles.length > 1) return commandWords.restored(titles);
      const date = viewDate(outside);
      const project = rows.projects.find(outside.projectId ?? '');
      return commandWords.restoredOutside(
        titles,
        date && dayName(date),
        project?.title ?? null,
        project?.inTrash === false,
      );
    },

    someday(titles: string[], found: TaskRow[]): string {
      const hadDeadline = found.some((task) => task.deadlineDate !== null);
      return commandWords.someday(titles, formerProject(found), hadDeadline);
    },
  };
}
