import { historyChanges, historyDays } from '#shared/app/app-protocol.ts';
import { planLimits } from '#shared/plans.ts';
import { addDays, type CalendarDate, daysBetween, fromPlainDate } from '#shared/time/calendar-date.ts';
import { findPushedOutUntil } from '../history/change-repository.ts';
import type { Session } from '../session.ts';
import { type RecurrenceRule, type RepeatingDates, rollDates, seriesDatesOf } from '../tasks/recurrence.ts';
import { type ListedTask, viewDate } from '../tasks/task-entity.ts';
import { presentRecurrence } from '../tasks/task-schema.ts';
import { describeRecurrence, localTime } from './brief-task.ts';
import { withWeekday } from './day-words.ts';
import { listAreaNames, listProjectNames, listSectionNames, type Named } from './list-names.ts';
import { hasParts } from './match-names.ts';
import { inOneLine } from './names.ts';
import { searchTasks, type TaskSearch } from './task-search.ts';
import type { ToolCall } from './tool.ts';

// Hints below a list that name the limits of its result.

/** For a project that is closed, in the Trash, or not in the requested area. */
export async function hintOnProject(
  { session: { db, account } }: ToolCall,
  { projectId, areaId }: TaskSearch,
): Promise<string[]> {
  if (projectId === undefined) return [];
  const { rows } = await db.query<{ title: string; status: string; inTrash: boolean; isElsewhere: boolean }>({
    text: `select title, status, trashed_at is not null as "inTrash",
        $3::uuid is not null and area_id is distinct from $3 as "isElsewhere"
      from tasks.project where account_id = $1 and id = $2`,
    values: [account.id, projectId, areaId ?? null],
  });
  return rows.flatMap(({ title, status, inTrash, isElsewhere }) => {
    const facts = [
      ...(status === 'active' ? [] : [status]),
      ...(inTrash ? ['in the Trash'] : []),
      ...(isElsewhere ? ['not in that area'] : []),
    ];
    return facts.length === 0 ? [] : [`The project «${inOneLine(title)}» is ${facts.join(' and ')}.`];
  });
}

type Worded = Partial<Record<'text' | 'project' | 'section' | 'area' | 'cursor', string | undefined>>;
const namedPlaces = 5;

/** For words that occur in the name of a project, section or area, whose tasks need not contain them. */
export async function hintOnNames(
  { session }: ToolCall,
  { text, project, section, area, cursor }: Worded,
): Promise<string[]> {
  if (text === undefined || (project ?? section ?? area ?? cursor) !== undefined) return [];
  const [projects, sections, areas] = await Promise.all([
    listProjectNames(session),
    listSectionNames(session, undefined),
    listAreaNames(session),
  ]);
  const places = Object.entries({ project: projects, section: sections, area: areas }).flatMap(
    ([kind, all]) => all.filter(({ title }) => hasParts(title, text)).map((place) => ({ ...place, kind })),
  );
  // Active ones first.
  const found = places.toSorted((one, other) => Number(Boolean(one.state)) - Number(Boolean(other.state)));
  const shown = found.slice(0, namedPlaces).map((place) => {
    const within =
      place.kind === 'section' && place.within ? ` in ${inOneLine(place.within)} [${place.id}]` : '';
    return `${place.kind} ${nameWithState(place)}${within}`;
  });
  const left = found.length - shown.length;
  const all = [...shown, ...(left > 0 ? [`and ${left} more, which list_projects lists`] : [])].join('; ');
  return found.length === 0
    ? []
    : [`Names with these words, whose tasks are listed by them instead of text: ${all}.`];
}

/** «Rome», completed */
const nameWithState = ({ title, state }: Named): string =>
  `«${inOneLine(title)}»${state ? `, ${state}` : ''}`;

/** For words that occur in the names of projects outside the filter. */
export async function hintOnOtherProjects({ session }: ToolCall, text: string) {
  const found = (await listProjectNames(session)).filter(({ title }) => hasParts(title, text));
  const shown = found.slice(0, namedPlaces).map((project) => `${nameWithState(project)} [${project.id}]`);
  const left = found.length - shown.length;
  const more = left > 0 ? `; and ${left} more, which list_projects lists by status and area` : '';
  return shown.length === 0 ? [] : [`Other projects with these words: ${shown.join('; ')}${more}.`];
}

/** For words that occur only in the notes of projects. */
export async function hintOnProjectNotes(
  { session: { db, account } }: ToolCall,
  { project, section, cursor }: Worded,
  patterns: readonly string[],
): Promise<string[]> {
  if (patterns.length === 0 || (project ?? section ?? cursor) !== undefined) return [];
  const { rows } = await db.query<{ title: string }>({
    text: `select title from tasks.project where account_id = $1 and trashed_at is null
        and exists (select from unnest($2::text[]) word where title !~ word)
        and not exists (select from unnest($2::text[]) word
          where title !~ word and coalesce(description, '') !~ word)
      order by rank, id limit ${namedPlaces + 1}`,
    values: [account.id, patterns],
  });
  const names = rows.slice(0, namedPlaces).map(({ title }) => `«${inOneLine(title)}»`);
  const more = rows.length > namedPlaces ? ' and others' : '';
  return names.length === 0
    ? []
    : [`In the notes of projects, which get_project shows: ${names.join(', ')}${more}.`];
}

/** For open tasks by deadline, among which those of projects would be missed. */
export async function hintOnDueProjects(
  { session: { db, account, today } }: ToolCall,
  { text, sectionId, projectId, areaId, status, sort, overdue, deadlineFrom, deadlineTo }: TaskSearch,
): Promise<string[]> {
  const isByDeadline = sort === 'deadline' || overdue || (deadlineFrom ?? deadlineTo) !== undefined;
  if (!isByDeadline || status !== 'open' || (text ?? sectionId) !== undefined) return [];
  const [to] = [deadlineTo, overdue ? addDays(today, -1) : undefined].filter(Boolean).toSorted();
  const { rows } = await db.query<{ title: string; day: CalendarDate }>({
    text: `select title, deadline_date::text as day from tasks.project
      where account_id = $1 and status = 'active' and trashed_at is null and id = coalesce($2, id)
        and ($3::uuid is null or area_id = $3) and deadline_date >= coalesce($4, deadline_date)
        and deadline_date <= coalesce($5, deadline_date)
      order by deadline_date, rank, id limit ${namedPlaces + 1}`,
    values: [account.id, projectId, areaId, deadlineFrom, to],
  });
  const shown = rows
    .slice(0, namedPlaces)
    .map(({ title, day }) => `«${inOneLine(title)}» ${withWeekday(day)}`);
  const more = rows.length > namedPlaces ? ' and more, which list_projects lists' : '';
  return shown.length === 0 ? [] : [`Deadlines of projects: ${shown.join(', ')}${more}.`];
}

/** For a plan whose logbook starts after the requested dates. */
export function hintOnLogbook(
  { account, today }: Session,
  { view, closedFrom = '' }: { view?: string | undefined; closedFrom?: string | undefined },
): string[] {
  const { logbookDays } = planLimits[account.plan];
  if (view !== 'logbook' || logbookDays === null) return [];
  const first = addDays(today, -logbookDays);
  if (closedFrom >= first) return [];
  return [`The logbook of the ${account.plan} plan goes back ${logbookDays} days, to ${first}.`];
}

/** For a `since` before the oldest stored change or, where many changes push older ones out, for none. */
export async function hintOnHistory(session: Session, since: Date | undefined): Promise<string[]> {
  const oldest = await findPushedOutUntil(session);
  if (oldest !== undefined && (since === undefined || since < new Date(oldest))) {
    const many = historyChanges.toLocaleString('en');
    return [
      `The newest ${many} changes are kept: what was done before ${localTime(session, oldest)} is missing.`,
    ];
  }
  const kept = new Date(session.now.getTime() - historyDays * 24 * 3_600_000);
  if (since === undefined || since >= kept) return [];
  const first = localTime(session, kept.toISOString());
  return [`Changes are kept for ${historyDays} days: what was done before ${first} may be missing.`];
}

const readSeries = 100;
const namedSeries = 10;
const namedDays = 5;

/** For repeating tasks with further dates in the requested range: lists contain only their next date. */
export async function hintOnRepeating(call: ToolCall, search: TaskSearch): Promise<string[]> {
  const { plannedFrom, plannedTo, deadlineFrom, deadlineTo, view, status, overdue } = search;
  const { today } = call.session;
  const isPlan = (plannedTo ?? '') > today;
  const to = isPlan ? plannedTo : deadlineTo;
  const isOfOpen = status === 'open' || view === 'upcoming' || view === 'anytime';
  if (to === undefined || to <= today || !isOfOpen || overdue) return [];
  const range = { from: (isPlan ? plannedFrom : deadlineFrom) ?? today, to, isPlan };
  const wanted: TaskSearch = {
    ...search,
    ...(isPlan ? { plannedFrom: undefined } : { deadlineFrom: undefined }),
    view: undefined,
    status: 'open',
    sort: undefined,
    repeats: true,
  };
  const { items, nextCursor } = await searchTasks(call, wanted, readSeries, undefined);
  const dates = await readSeriesDates(call.session, items);
  const again = items.flatMap((task) => describeSeries(task, dates.get(task.id), range, today) ?? []);
  if (again.length === 0) return [];
  const more = again.length > namedSeries || nextCursor !== null ? '; and others' : '';
  const said = again.slice(0, namedSeries).join('; ');
  return [
    `Repeating tasks are listed on their next date alone; these come again in between: ${said}${more}.`,
  ];
}

type Series = { id: string; seriesDueDate: CalendarDate | null; seriesDeadlineDate: CalendarDate | null };

async function readSeriesDates(
  { db, account }: Session,
  tasks: readonly ListedTask[],
): Promise<ReadonlyMap<string, Series>> {
  if (tasks.length === 0) return new Map();
  const { rows } = await db.query<Series>({
    text: `select id, series_due_date::text as "seriesDueDate",
        series_deadline_date::text as "seriesDeadlineDate"
      from tasks.task where account_id = $1 and id = any($2::uuid[])`,
    values: [account.id, tasks.map(({ id }) => id)],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

type Range = { from: CalendarDate; to: CalendarDate; isPlan: boolean };

/** «Pay the rent (every month) on 2027-01-01»; only the rule if the dates depend on completion. */
function describeSeries(
  task: ListedTask,
  series: Series | undefined,
  range: Range,
  today: CalendarDate,
): string | undefined {
  const { recurrence: rule, recurrenceAnchor: anchor } = task;
  const shown = presentRecurrence(task);
  if (!rule || !anchor || shown === null || series === undefined) return undefined;
  const dates = { ...seriesDatesOf({ ...task, ...series }), anchor };
  const isCertain = !rule.fromCompletion;
  // Includes the moved date: earlier dates of the series are skipped.
  const present = dates.dueDate === null ? task.deadlineDate : task.dueDate;
  const isLater = isCertain && range.from > today;
  const after = [today, present ?? today, ...(isLater ? [lastBefore(range, dates) ?? today] : [])];
  const days = daysAfter(rule, dates, after.toSorted().at(-1) ?? today, range);
  if (days.length === 0) return undefined;
  const name = `${inOneLine(task.title)} (${describeRecurrence(shown)})`;
  if (!isCertain) return `${name}, perhaps`;
  return `${name} on ${days.slice(0, namedDays).join(', ')}${days.length > namedDays ? ' and later' : ''}`;
}

/** The last date of a series that is before the range; deadlines come some days after it. */
function lastBefore({ from, isPlan }: Range, { dueDate, deadlineDate }: RepeatingDates) {
  const lead = isPlan || dueDate === null || deadlineDate === null ? 0 : daysBetween(dueDate, deadlineDate);
  return fromPlainDate(Temporal.PlainDate.from(from).subtract({ days: lead + 1 }));
}

/**
 * The dates if each occurrence is completed on its day, the current one by `after`; at most one more than is
 * shown.
 */
function daysAfter(rule: RecurrenceRule, dates: RepeatingDates, after: CalendarDate, { to, isPlan }: Range) {
  const days: CalendarDate[] = [];
  let next = rollDates(rule, dates, after);
  while (next !== undefined && days.length <= namedDays) {
    const day = isPlan ? viewDate(next) : next.deadlineDate;
    if (day === null || day > to) break;
    days.push(day);
    next = rollDates(rule, next, viewDate(next) ?? after);
  }
  return days;
}
