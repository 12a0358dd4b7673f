import { useMemo } from 'preact/hooks';
import { EmptyState } from '../components/empty-state.tsx';
import { addDays, daysBetween } from '../dates/civil-date.ts';
import { formatMonth, formatWeekday } from '../dates/format-calendar.ts';
import { type ListGroup, projectRefs, type RowRef, taskRefs } from '../list/list-group.ts';
import { ProjectRow } from '../list/project-row.tsx';
import { TaskGrid } from '../list/task-grid.tsx';
import { useStore } from '../store/store-context.ts';
import { type UpcomingGroup, viewUpcoming } from '../store/upcoming-view.ts';
import { upcomingWords as words } from '../words/overview-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { PageHead } from './page-head.tsx';

export function UpcomingScreen() {
  const store = useStore();
  const { views } = store;
  const found = useMemo(() => views.of((input) => viewUpcoming(input, views.deadlines.value)), [views]).value;
  const today = store.today.value;
  const isEmpty = found.every((group) => group.kind === 'emptyDays');
  return (
    <>
      <PageHead title={screenWords.upcoming} />
      {isEmpty && <EmptyState title={words.empty} />}
      <TaskGrid
        label={screenWords.upcoming}
        groups={isEmpty ? [] : found.map((group) => toGroup(group, today))}
        projectRow={ProjectRow}
      />
    </>
  );
}

function dayGroup(date: string, rows: RowRef[], today: string): ListGroup {
  const title = formatWeekday(date, today);
  return {
    key: date,
    title,
    heading: { kind: 'day', element: dayHeading(dayOf(date), title, turnOfMonth(date, date, today)) },
    rows,
    style: { project: true, date: 'none', inDay: true },
    place: { kind: 'day', date },
    isOrdered: true,
  };
}

const rowsOf = (group: { ids: string[]; projects: string[] }): RowRef[] => [
  ...projectRefs(group.projects),
  ...taskRefs(group.ids),
];

function toGroup(group: UpcomingGroup, today: string): ListGroup {
  if (group.kind === 'day') return dayGroup(group.date, rowsOf(group), today);
  if (group.kind === 'emptyDays') {
    const isOne = group.from === group.to;
    const numbers = isOne ? dayOf(group.from) : `${dayOf(group.from)}–${dayOf(group.to)}`;
    const names = isOne
      ? formatWeekday(group.from, today)
      : `${formatWeekday(group.from, today)} – ${formatWeekday(group.to, today)}`;
    const count = daysBetween(group.from, group.to) + 1;
    const days = Array.from({ length: count }, (_, day) => dayGroup(addDays(group.from, day), [], today));
    return {
      key: `empty ${group.from}`,
      title: names,
      heading: {
        kind: 'emptyDays',
        element: dayHeading(numbers, names, turnOfMonth(group.from, group.to, today)),
      },
      rows: [],
      place: isOne ? { kind: 'day', date: group.from } : undefined,
      days,
    };
  }
  const title = monthTitle(group, today);
  const style = { project: true, date: group.kind === 'later' ? 'near' : 'column', inDay: false } as const;
  const heading = { kind: 'month', element: <h2>{title}</h2> } as const;
  return { key: title, title, heading, rows: rowsOf(group), style };
}

function monthTitle(group: Exclude<UpcomingGroup, { kind: 'day' | 'emptyDays' }>, today: string): string {
  if (group.kind === 'later') return words.later;
  if (group.kind === 'month') return formatMonth(`${group.month}-01`, today);
  const month = formatMonth(group.from, today);
  return daysBetween(`${group.from.slice(0, 7)}-01`, group.from) === 0 ? month : words.restOf(month);
}

const dayOf = (date: string) => String(Number(date.slice(8)));

/** The name of a month that starts within these days. */
function turnOfMonth(from: string, to: string, today: string): string | null {
  return addDays(from, -1).slice(0, 7) === to.slice(0, 7) ? null : formatMonth(to, today);
}

function dayHeading(days: string, name: string, month: string | null) {
  return (
    <div class="in">
      <span class="d">{days}</span>
      <h2 class="w">
        {name}
        {month !== null && <span class="muted"> {month}</span>}
      </h2>
    </div>
  );
}
