import { civilNow } from '../quick-add/load-grammar.ts';
import { openTask } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';

const checkMilliseconds = 15_000;

/**
 * Shows a notification when a reminder of today is due, in an open tab whose user has allowed it. Tabs show one
 * between them: a notification replaces that of the same tag.
 */
export function startReminders(store: Store): () => void {
  if (!('Notification' in globalThis)) return () => {};
  let checkedUntil = civilNow(store.timeZone.value, store.today.value);
  const check = () => {
    const now = civilNow(store.timeZone.value, store.today.value);
    const from = now.date === checkedUntil.date ? checkedUntil.time : '';
    checkedUntil = now;
    if (Notification.permission !== 'granted') return;
    const due = [...store.rows.tasks.shown.values()].filter(
      (task) =>
        isDue(task, now.date) && (task.reminderTime ?? '') > from && (task.reminderTime ?? '') <= now.time,
    );
    for (const task of due) show(task);
  };
  const timer = setInterval(check, checkMilliseconds);
  return () => clearInterval(timer);
}

function hasReminder({ reminderTime, status, inTrash }: TaskRow): boolean {
  return reminderTime !== null && status === 'open' && !inTrash;
}

function isDue(task: TaskRow, today: string): boolean {
  return hasReminder(task) && task.dueDate === today;
}

function show(task: TaskRow): void {
  const notification = new Notification(task.title, {
    body: task.reminderTime ?? '',
    tag: `${task.id} ${task.dueDate} ${task.reminderTime}`,
  });
  notification.onclick = () => {
    window.focus();
    openTask(task.id);
  };
}
