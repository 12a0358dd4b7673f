import { EmptyState } from '../components/empty-state.tsx';
import { daysBetween } from '../dates/civil-date.ts';
import { formatMonth, formatWeekday } from '../dates/format-calendar.ts';
import { type ListGroup, plainStyle, taskRefs } from '../list/list-group.ts';
import { TaskGrid } from '../list/task-grid.tsx';
import { useStore } from '../store/store-context.ts';
import type { UpcomingGroup } from '../store/views.ts';
import { upcomingWords as words } from '../words/upcoming-words.ts';
import { PageHead } from './page-head.tsx';

export function UpcomingScreen() {
  const store = useStore();
  const found = store.views.upcoming.value;
  const today = store.today.value;
  const isEmpty = found.every((group) => group.kind === 'emptyDays');
  return (
    <>
      <PageHead title={words.title} />
      {isEmpty && <EmptyState title={words.empty} />}
      {!isEmpty && <TaskGrid label={words.title} groups={found.map((group) => toGroup(group, today))} />}
    </>
  );
}

function toGroup(group: UpcomingGroup, today: string): ListGroup {
  const shared = { isOrdered: false, footer: null, place: null } as const;
  if (group.kind === 'day') {
    const title = formatWeekday(group.date, today);
    return {
      ...shared,
      key: group.date,
      title,
      heading: { kind: 'day', element: dayHeading(dayOf(group.date), title) },
      rows: taskRefs(group.ids),
      style: { project: true, date: 'none', inDay: true },
      place: { kind: 'day', date: group.date },
      isOrdered: true,
    };
  }
  if (group.kind === 'emptyDays') {
    const isOne = group.from === group.to;
    const days = isOne ? dayOf(group.from) : `${dayOf(group.from)}–${dayOf(group.to)}`;
    const names = isOne
      ? formatWeekday(group.from, today)
      : `${formatWeekday(group.from, today)} – ${formatWeekday(group.to, today)}`;
    const heading = { kind: 'emptyDays', element: dayHeading(days, names) } as const;
    const place = isOne ? ({ kind: 'day', date: group.from } as const) : null;
    return {
      ...shared,
      key: `empty ${group.from}`,
      title: names,
      heading,
      rows: [],
      style: plainStyle,
      place,
    };
  }
  const title = monthTitle(group, today);
  const style = { project: true, date: group.kind === 'later' ? 'near' : 'column', inDay: false } as const;
  const heading = { kind: 'month', element: <h2>{title}</h2> } as const;
  return { ...shared, key: title, title, heading, rows: taskRefs(group.ids), style };
}

function monthTitle(group: Exclude<UpcomingGroup, { kind: 'day' | 'emptyDays' }>, today: string): string {
  if (group.kind === 'later') return words.later;
  if (group.kind === 'month') return formatMonth(`${group.month}-01`, today);
  const month = formatMonth(group.from, today);
  return daysBetween(`${group.from.slice(0, 7)}-01`, group.from) === 0 ? month : words.restOf(month);
}

const dayOf = (date: string) => String(Number(date.slice(8)));

function dayHeading(days: string, name: string) {
  return (
    <div class="in">
      <span class="d">{days}</span>
      <h2 class="w">{name}</h2>
    </div>
  );
}
