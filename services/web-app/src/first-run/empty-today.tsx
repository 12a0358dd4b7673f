import { EmptyState } from '../components/empty-state.tsx';
import { addDays } from '../dates/civil-date.ts';
import { hrefOf } from '../router.ts';
import { viewDate } from '../store/order.ts';
import { isOpenTask } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { emptyTodayWords as words } from '../words/first-run-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { FirstRun } from './first-run.tsx';

export function EmptyToday({ closed }: { closed: readonly string[] }) {
  const store = useStore();
  const done = closed.filter((id) => store.rows.tasks.find(id)?.status === 'completed').length;
  if (done > 0) {
    const tomorrow = addDays(store.today.value, 1);
    const tasks = store.rows.tasks.all();
    const count = tasks.filter((task) => isOpenTask(task) && viewDate(task) === tomorrow).length;
    return (
      <EmptyState title={words.done}>
        <p>{words.doneDetail(done, count)}</p>
      </EmptyState>
    );
  }
  return (
    <>
      {closed.length === 0 && <FirstRun />}
      <EmptyState title={words.nothingPlanned} hint={{ keys: words.hint, phone: words.hintPhone }}>
        <p>
          <a href={hrefOf({ screen: 'anytime' })}>{screenWords.anytime}</a>
        </p>
      </EmptyState>
    </>
  );
}
