import { EmptyState } from '../components/empty-state.tsx';
import { addDays } from '../dates/civil-date.ts';
import { hrefOf } from '../router.ts';
import { viewDate } from '../store/order.ts';
import { isOpenTask } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { FirstRun } from './first-run.tsx';

export function EmptyToday({ closed }: { closed: readonly string[] }) {
  const store = useStore();
  const done = closed.filter((id) => store.rows.tasks.find(id)?.status === 'completed').length;
  if (done > 0) {
    const tomorrow = addDays(store.today.value, 1);
    const tasks = store.rows.tasks.all();
    const count = tasks.filter((task) => isOpenTask(task) && viewDate(task) === tomorrow).length;
    return (
      <EmptyState title={words.empty.todayDone}>
        <p>{words.empty.todayDoneDetail(done, count)}</p>
      </EmptyState>
    );
  }
  return (
    <>
      {closed.length === 0 && <FirstRun />}
      <EmptyState
        title={words.empty.today}
        hint={{ keys: words.empty.todayHint, phone: words.empty.todayHintPhone }}
      >
        <p>
          <a href={hrefOf({ screen: 'anytime' })}>{words.anytime}</a>
        </p>
      </EmptyState>
    </>
  );
}
