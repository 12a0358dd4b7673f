import { useState } from 'preact/hooks';
import { EmptyState } from '../components/empty-state.tsx';
import { type ListGroup, plainEdge, taskRefs } from '../list/list-group.ts';
import { TaskGrid } from '../list/task-grid.tsx';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { anytimeWords } from '../words/overview-words.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { GroupHeading, MoreButton, PageHead } from './page-head.tsx';

/** Tasks of a group shown at first; one more takes no more space than the button. */
const shownAtFirst = 5;

export function AnytimeScreen() {
  const store = useStore();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const groups = store.views.anytime.value.map(({ projectId, ids }): ListGroup => {
    const key = projectId === null ? 'none' : store.keyOf(projectId);
    const title =
      projectId === null ? anytimeWords.noProject : (store.rows.projects.row(projectId).value?.title ?? '');
    const isWhole = opened.has(key) || ids.length === shownAtFirst + 1;
    const shown = isWhole ? ids : ids.slice(0, shownAtFirst);
    const hidden = ids.length - shown.length;
    const showAll = () => setOpened(new Set([...opened, key]));
    const href = projectId === null ? undefined : hrefOf({ screen: 'project', id: projectId });
    return {
      key,
      title,
      heading: plainEdge(<GroupHeading title={title} count={ids.length} href={href} />),
      rows: taskRefs(shown),
      place: projectId === null ? undefined : { kind: 'list', destination: { projectId } },
      isOrdered: projectId !== null,
      footer:
        hidden === 0
          ? undefined
          : { kind: 'more', element: <MoreButton label={anytimeWords.showMore(hidden)} onPress={showAll} /> },
    };
  });
  return (
    <>
      <PageHead title={words.anytime} />
      {groups.length === 0 && <EmptyState title={anytimeWords.empty} />}
      <TaskGrid label={words.anytime} groups={groups} />
    </>
  );
}
