import { effect } from '@preact/signals';
import { formatDay } from '../dates/format-day.ts';
import { askToComplete } from '../frame/list-menus.ts';
import type { Refusal } from '../store/notices.ts';
import { viewDate } from '../store/order.ts';
import { hasProject, isPassed } from '../store/outbox-record.ts';
import { intoInbox } from '../store/record-choices.ts';
import type { Store } from '../store/store.ts';
import { activityWords } from '../words/activity-words.ts';
import { capital } from '../words/capital.ts';
import { commandWords } from '../words/command-words.ts';
import { dialogWords as words } from '../words/dialog-words.ts';

type Way = { label: string; run: () => void };

const taskOf = (store: Store, { record: { row } }: Refusal) => store.rows.tasks.row(row.id).value;

/** The task was completed or cancelled elsewhere, and the change would close it in another way. */
function isClosedOtherwise(store: Store, refusal: Refusal): boolean {
  const status = taskOf(store, refusal)?.status;
  const { path } = refusal.record;
  if (status === 'cancelled') return path.endsWith('/complete');
  return status === 'completed' && path.endsWith('/cancel');
}

/** «Checklist[0].title must …» */
const named = /^(\w)(\w*)(\[\d+\]\.\w+)?(?= must )/;

/** The reason, in the app's terms if the service names operations that the app calls differently. */
export function reasonOf(store: Store, refusal: Refusal): string {
  const task = taskOf(store, refusal);
  if (task?.inTrash) return commandWords.inTrash;
  if (task && isClosedOtherwise(store, refusal)) return words.closedMeanwhile(task.status);
  // The service's messages start with the API's field name.
  return refusal.message.replace(named, (_all, first: string, rest: string, item?: string) => {
    const field = activityWords.fieldName(first.toLowerCase() + rest);
    return item === undefined ? capital(field) : words.itemOf(field);
  });
}

/** Possible actions, the best first; empty if the change would be refused again. */
export function waysOut(store: Store, refusal: Refusal): Way[] {
  const { id, record } = refusal;
  const { row, body, title } = record;
  const { kind } = record.refused ?? {};
  const task = taskOf(store, refusal);
  const first = (label: string, clear: () => void) => [
    { label, run: () => void sendAfter(store, refusal, clear) },
  ];
  if (task?.inTrash) return first(words.restoreFirst, () => store.commands.restore(row.id));
  if (isClosedOtherwise(store, refusal)) return first(words.reopenFirst, () => store.commands.reopen(row.id));
  if (kind === 'state' && body !== null && 'asked' in body) {
    const ask = () => {
      store.discardRefused(id);
      askToComplete(store, row.id);
    };
    return [{ label: words.tryAgain, run: ask }];
  }
  const again = { label: words.tryAgain, run: () => store.retryRefused(id) };
  if (hasProject(body) && (kind === 'gone' || kind === 'state')) {
    const date = viewDate({ dueDate: null, deadlineDate: null, ...task, ...body });
    const day = date && formatDay(date, store.today.value);
    const putOutside = () => {
      store.retryRefused(id, intoInbox(id));
      const said = day ? commandWords.planned([title], day) : commandWords.moved([title], commandWords.inbox);
      store.notices.toast(said);
    };
    return [{ label: day ? words.withoutProject(day) : words.intoInbox, run: putOutside }, again];
  }
  return kind === 'gone' || kind === 'invalid' || isPassed(record, task) ? [] : [again];
}

/** Undoes what prevents the refused change, then sends it again. */
async function sendAfter(store: Store, { id, record: { row } }: Refusal, clear: () => void): Promise<void> {
  clear();
  await store.settled();
  const stop = effect(() => {
    if (store.waiting.value.has(`task:${row.id}`)) return;
    store.retryRefused(id);
    queueMicrotask(() => stop());
  });
}
