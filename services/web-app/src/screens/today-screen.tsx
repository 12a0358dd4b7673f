import { WriteButton } from '../components/write-button.tsx';
import { longDay, longWeekday } from '../dates/format-day.ts';
import { type ListGroup, plainEdge, projectRefs, taskRefs } from '../list/list-group.ts';
import { TaskGrid } from '../list/task-grid.tsx';
import { EmptyToday, laterParts } from '../loading/load-later.tsx';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { GroupHeading, PageHead, useFoldedGroup } from './page-head.tsx';

const withProject = { project: true, date: 'near', inDay: false } as const;

export function TodayScreen() {
  const store = useStore();
  const { overdue, today, doneToday } = store.views.today.value;
  const done = useFoldedGroup(words.doneToday, taskRefs(doneToday));
  const date = store.today.value;
  const due = store.views.deadlines.value.filter((project) => project.date <= date).map(({ id }) => id);
  const groups: ListGroup[] = [{ key: 'projects', title: words.dueProjects, rows: projectRefs(due) }];
  if (overdue.length > 0) {
    groups.push({
      key: 'overdue',
      title: words.overdue,
      heading: plainEdge(
        <GroupHeading title={words.overdue} count={overdue.length} isLate>
          <WriteButton
            class="btn text"
            text={words.moveToToday}
            onPress={() => store.commands.planToday(overdue)}
          />
        </GroupHeading>,
      ),
      rows: taskRefs(overdue),
      style: withProject,
    });
  }
  if (today.length > 0) {
    const heading = <GroupHeading title={words.today} count={today.length} />;
    groups.push({
      key: 'today',
      title: words.today,
      heading: overdue.length > 0 ? plainEdge(heading) : undefined,
      rows: taskRefs(today),
      style: { ...withProject, date: 'none' },
      place: { kind: 'day', date },
      isOrdered: true,
    });
  }
  groups.push(...done.groups.map((group) => ({ ...group, style: withProject })));
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = store.timeZone.value;
  return (
    <>
      <PageHead title={words.today}>
        {`${longWeekday(date)} ${longDay(date, date)}`}
        {zone !== deviceZone && ` ${words.inZone(zone)}`}
      </PageHead>
      {due.length + overdue.length + today.length === 0 && <EmptyToday closed={doneToday} />}
      <TaskGrid label={words.today} groups={groups} projectRow={laterParts.present.value?.ProjectRow} />
    </>
  );
}
