import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { formatLongDate } from '../dates/format-calendar.ts';
import { formatDistance, formatDueDistance } from '../dates/format-day.ts';
import { hasPassed } from '../list/row-facts.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { ReminderNote } from '../reminders/reminder-note.tsx';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { isSomeday } from '../store/views.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { listWords } from '../words/list-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { screenWords } from '../words/screen-words.ts';

type TaskPropertiesProps = {
  task: TaskRow;
  /** The reason why it cannot be changed, or null. */
  block: string | null;
};

/** When, reminder, repeat and deadline; pressing one changes it. */
export function TaskProperties({ task, block }: TaskPropertiesProps) {
  const store = useStore();
  const today = store.today.value;
  const ids = [task.id];
  const zone = store.timeZone.value;
  const isOtherZone = zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  const property = (icon: IconName, label: string, kind: 'plan' | 'repeat' | 'deadline', value: Shown) => (
    <Property
      icon={icon}
      label={label}
      block={block}
      onPress={() => openOverlay({ kind, ids, startsAtReminder: icon === 'bell' })}
      {...value}
    />
  );
  return (
    <dl class="props">
      {property('upcoming', words.when, 'plan', {
        isNone: task.dueDate === null && !isSomeday(task),
        children: isSomeday(task) ? screenWords.someday : day(task.dueDate, today, task.status === 'open'),
      })}
      {property('bell', words.reminder, 'plan', {
        isNone: task.reminderTime === null,
        children: (
          <>
            <span>{task.reminderTime ?? words.none}</span>
            {hasPassed(task, store) && <span class="passed">{listWords.passed}</span>}
          </>
        ),
        note: task.reminderTime !== null && (
          <>
            {task.status === 'open' && <ReminderNote />}
            {isOtherZone && <p class="zone-note">{words.zone(zone)}</p>}
          </>
        ),
      })}
      {property('repeat', words.repeat, 'repeat', {
        isNone: task.recurrence === null,
        children: task.recurrence === null ? words.never : describeRepeat(task.recurrence, task.dueDate),
      })}
      {property('flag', words.deadline, 'deadline', {
        isNone: task.deadlineDate === null,
        children:
          task.deadlineDate === null ? words.none : day(task.deadlineDate, today, task.status === 'open'),
      })}
    </dl>
  );
}

type Shown = { isNone: boolean; children: ComponentChildren; note?: ComponentChildren };
type PropertyProps = Shown & { icon: IconName; label: string; block: string | null; onPress: () => void };

function Property({ icon, label, isNone, block, onPress, children, note }: PropertyProps) {
  return (
    <div>
      <dt>
        <Icon name={icon} />
        {label}
      </dt>
      <dd>
        <WriteButton class={isNone ? 'none' : undefined} block={block} onPress={onPress}>
          <span class="vh">{label}: </span>
          {children}
        </WriteButton>
        {note}
      </dd>
    </div>
  );
}

function day(date: string | null, today: string, isOpen: boolean): ComponentChildren {
  if (date === null) return words.noDate;
  return (
    <>
      <span>{formatLongDate(date, today)}</span>
      <span class={isOpen && date < today ? 'late' : 'muted'}>
        {(isOpen ? formatDueDistance : formatDistance)(date, today)}
      </span>
    </>
  );
}
