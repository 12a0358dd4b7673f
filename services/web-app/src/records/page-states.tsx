import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadingRows } from '../components/loading-rows.tsx';
import { activityWords as words } from '../words/activity-words.ts';
import type { PagedList } from './use-pages.ts';

type PageStatesProps = {
  list: PagedList<unknown>;
  /** Null: there are some. */
  empty: { title: string; hint?: string } | null;
};

/** Shown instead of records: loading, failed, or none. */
export function PageStates({ list, empty }: PageStatesProps) {
  if (list.state === 'failed') {
    return (
      <EmptyState title={words.needsConnection}>
        <Button text={words.retry} onPress={list.reload} />
      </EmptyState>
    );
  }
  if (list.state === 'loading') return <LoadingRows label={words.loading} />;
  if (empty === null) return null;
  return <EmptyState title={empty.title}>{empty.hint !== undefined && <p>{empty.hint}</p>}</EmptyState>;
}

export function LoadMore({ list, label }: { list: PagedList<unknown>; label: string }) {
  return list.loadMore && <Button text={label} kind="text more" onPress={list.loadMore} />;
}
