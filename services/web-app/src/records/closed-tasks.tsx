import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type PublicTask, toTaskRow } from '../store/public-rows.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { recordWords as words } from '../words/record-words.ts';
import { LoadMore } from './page-states.tsx';
import { type PagedList, usePages } from './use-pages.ts';

type LogbookPage = { items: PublicTask[]; nextCursor: string | null };

/** Closed tasks of all lists or a project, from the public API, without those reopened in this tab. */
export function useClosedTasks(projectId?: string) {
  const store = useStore();
  const place = projectId === undefined ? '' : `/projects/${projectId}`;
  const list = usePages<LogbookPage>(`${apiRootPath}${place}/tasks?view=logbook&limit=50`);
  const isClosed = ({ id }: TaskRow) => (store.rows.tasks.row(id).value?.status ?? 'completed') !== 'open';
  const tasks = list.pages.flatMap(({ items }) => items).map((task) => toTaskRow(task));
  return { list, closed: tasks.filter(isClosed) };
}

/** A link to older ones, or a note on the plan's limit. */
export function ClosedTasksEnd({ list }: { list: PagedList<unknown> }) {
  const isFree = useStore().account.value?.plan === 'free';
  return (
    <>
      <LoadMore list={list} label={words.showMore} />
      {isFree && list.state === 'ready' && list.loadMore === null && (
        <p class="end-note">{words.freeLogbook}</p>
      )}
    </>
  );
}
