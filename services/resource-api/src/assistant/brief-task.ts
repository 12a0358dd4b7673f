import { type InferType, string } from 'yup';
import { newTaskFields, type TaskFields } from '#shared/app/app-protocol.ts';
import { isCalendarDate } from '#shared/time/calendar-date.ts';
import { closedObject, enumeration, flag, uuid } from '#shared/validation/fields.ts';
import type { Session } from '../session.ts';
import type { RecurrenceRule } from '../tasks/recurrence.ts';
import { type ListedTask, taskLists, taskStatuses } from '../tasks/task-entity.ts';
import { fieldNouns, plainTaskFields, presentTask, taskFieldNames } from '../tasks/task-schema.ts';
import { weekdayOf, withWeekday } from './day-words.ts';
import { inOneLine } from './names.ts';
import { findPlaces, type Places } from './place-names.ts';

const idAndTitle = { id: uuid().defined(), title: string().defined() };
export const named = closedObject(idAndTitle);

/** A task in a list. Empty members are omitted: some model providers refuse nulls. */
export const briefTask = closedObject({
  id: uuid().defined(),
  title: string().defined(),
  status: enumeration(taskStatuses).defined(),
  /** Absent for a dated task outside projects, which is listed by its day. */
  list: enumeration(taskLists),
  project: closedObject({ ...idAndTitle, inTrash: flag() })
    .optional()
    .default(undefined),
  section: named.optional().default(undefined),
  ...plainTaskFields,
  /** The rule in words. */
  repeats: string(),
  /** Completed and all steps, such as 2/5. */
  checklist: string(),
  hasNotes: flag(),
  /** The passage of the notes that matches the search. */
  passage: string(),
  /** The checklist step that matches the search. */
  step: string(),
  closedAt: string(),
  /** Present in lists that are filtered or sorted by it. */
  createdAt: string(),
  updatedAt: string(),
  isOverdue: flag(),
  inTrash: flag(),
});

export type BriefTask = InferType<typeof briefTask>;

/** The current date, from which a model derives «tomorrow» or «Thursday». */
export const timeFacts = {
  today: string().defined(),
  /** Such as «Thursday 10:30». */
  now: string().defined(),
  timezone: string().defined(),
};

export function timeFactsOf(session: Session): { today: string; now: string; timezone: string } {
  const { today, now, account } = session;
  const time = localTime(session, now.toISOString()).slice(-5);
  return { today, now: `${weekdayOf(today)} ${time}`, timezone: account.timezone };
}

/**
 * An RFC 3339 date-time in the account's timezone, as «2026-11-25 23:59»: its date in UTC may be another day.
 */
export function localTime({ account }: Session, instant: string): string {
  const time = Temporal.Instant.from(instant).toZonedDateTimeISO(account.timezone).toPlainDateTime();
  return time.toString({ smallestUnit: 'minute' }).replace('T', ' ');
}

/** Describes tasks; the names of their projects, sections and areas take one statement. */
export async function describeTasks(session: Session, tasks: readonly ListedTask[]): Promise<BriefTask[]> {
  const places = await findPlaces(
    session,
    tasks.flatMap(({ projectId, sectionId }) => [projectId, sectionId]),
  );
  return tasks.map((task) => describeTask(task, places, session.today));
}

function describeTask(task: ListedTask, places: Places, today: string): BriefTask {
  const shown = presentTask(task);
  const { id, title, status, list, dueDate, deadlineDate, recurrence, checklist, inTrash } = shown;
  const place = (placeId: string | null) =>
    placeId === null ? undefined : { id: placeId, title: places.get(placeId)?.title ?? '' };
  const project = place(shown.projectId);
  const done = checklist.filter(({ completed }) => completed).length;
  const first = [dueDate, deadlineDate].filter((date) => date !== null).toSorted()[0];
  return {
    id,
    title,
    status,
    list: list === 'someday' && first !== undefined ? undefined : list,
    project: project && { ...project, ...(places.get(project.id)?.inTrash && { inTrash: true }) },
    section: place(shown.sectionId),
    ...setFieldsOf(shown),
    repeats: recurrence === null ? undefined : describeRecurrence(recurrence),
    checklist: checklist.length === 0 ? undefined : `${done}/${checklist.length}`,
    hasNotes: shown.description === null ? undefined : true,
    closedAt: shown.completedAt ?? shown.cancelledAt ?? undefined,
    isOverdue: status === 'open' && !inTrash && first !== undefined && first < today ? true : undefined,
    inTrash: inTrash ? true : undefined,
  };
}

/** The fields that differ from those of a new task. */
function setFieldsOf(shown: TaskFields) {
  const set = taskFieldNames.filter((name) => shown[name] !== newTaskFields[name]);
  return Object.fromEntries(set.map((name) => [name, shown[name]])) as Pick<BriefTask, keyof TaskFields>;
}

const units = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const;

const weeks: Readonly<Record<number, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  [-1]: 'last',
};

/** «every 2 weeks on monday, thursday, counted from completion», «every month on the last friday» */
export function describeRecurrence(rule: RecurrenceRule): string {
  const { frequency, interval, weekdays, fromCompletion, weekOfMonth, until } = rule;
  const unit = units[frequency];
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  const week = weekOfMonth === undefined ? '' : `the ${weeks[weekOfMonth]} `;
  const days = weekdays.length === 0 ? '' : ` on ${week}${weekdays.join(', ')}`;
  const counting = fromCompletion ? ', counted from completion' : '';
  return `${every}${days}${counting}${until ? `, until ${until}` : ''}`;
}

/** A task in one line, with its id at the end. */
export function describeLine(session: Session, task: BriefTask): string {
  const facts = [
    describePlace(task),
    task.dueDate && `planned ${withWeekday(task.dueDate)}`,
    // Without «reminder» the time would be taken for that of an appointment.
    task.reminderTime && `reminder ${task.reminderTime}`,
    ...taskFieldNames.map(
      (name) => fieldNouns[name] && task[name] && `${fieldNouns[name]} ${say(task[name])}`,
    ),
    isPlannedTooLate(task) && 'planned after its deadline',
    task.repeats,
    task.checklist && `checklist ${task.checklist}`,
    task.hasNotes && 'has notes',
    task.isOverdue && 'overdue',
    task.closedAt && `${task.status} ${localTime(session, task.closedAt)}`,
    task.createdAt && `added ${localTime(session, task.createdAt)}`,
    task.updatedAt && `last changed ${localTime(session, task.updatedAt)}`,
    task.inTrash && 'in the Trash',
    task.passage && `notes: «${inOneLine(task.passage)}»`,
    task.step && `step: «${inOneLine(task.step)}»`,
  ].filter(Boolean);
  return `${inOneLine(task.title)} (${facts.join(', ')}) [${task.id}]`;
}

function isPlannedTooLate({ status, dueDate, deadlineDate }: BriefTask): boolean {
  return status === 'open' && dueDate !== undefined && deadlineDate !== undefined && dueDate > deadlineDate;
}

function say(value: unknown): string {
  const said = String(value);
  return isCalendarDate(said) ? withWeekday(said) : said;
}

function describePlace({ list, project, section }: BriefTask): string | undefined {
  if (project === undefined) return list;
  const within = section ? ` / ${inOneLine(section.title)}` : '';
  const trashed = project.inTrash ? ', which is in the Trash' : '';
  return `in ${inOneLine(project.title)}${within}${trashed}`;
}
