import type { ComponentChildren } from 'preact';
import { EmptyState } from '../components/empty-state.tsx';
import { taskRefs } from '../list/list-group.ts';
import { TaskGrid } from '../list/task-grid.tsx';
import { FirstRun } from '../loading/load-later.tsx';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { PageHead } from './page-head.tsx';

export function InboxScreen() {
  return (
    <ListScreen list="inbox">
      <FirstRun />
    </ListScreen>
  );
}

export function SomedayScreen() {
  return (
    <>
      <ListScreen list="someday" />
      <p class="links">
        <a href={hrefOf({ screen: 'upcoming' })}>{words.plannedAreUpcoming}</a>
      </p>
    </>
  );
}

function ListScreen({ list, children }: { list: 'inbox' | 'someday'; children?: ComponentChildren }) {
  const ids = useStore().views[list].value;
  const title = words[list];
  const place = { kind: 'list', destination: { list } } as const;
  return (
    <>
      <PageHead title={title} />
      {children}
      {ids.length === 0 && <EmptyState title={words.empty[list]} />}
      <TaskGrid label={title} groups={[{ key: list, title, rows: taskRefs(ids), place, isOrdered: true }]} />
    </>
  );
}
