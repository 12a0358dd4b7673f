import { Icon, type IconName } from '../components/icon.tsx';
import { formatDate } from '../dates/format-day.ts';
import { ReminderNote } from '../reminders/reminder-note.tsx';
import { useStore } from '../store/store-context.ts';
import { quickAddWords as words } from '../words/quick-add-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { DateChip } from './date-chip.tsx';
import { civilNow } from './load-grammar.ts';
import type { Piece, Place } from './piece.ts';
import type { Entry } from './read-entry.ts';
import type { EntryDefaults } from './task-body.ts';

type EntryChipsProps = {
  entry: Entry;
  defaults: EntryDefaults;
  today: string;
  allowsDeadlines: boolean;
  nameOf: (place: Place) => string;
  /** Makes these pieces text again. */
  onPlain: (pieces: readonly Piece[]) => void;
  text: string;
  onText: (text: string) => void;
};

type Kind = Piece['kind'];

/** What the line says, in words; pressing one makes its piece plain text. */
export function EntryChips(props: EntryChipsProps) {
  const { entry, defaults, today, allowsDeadlines, nameOf, onPlain, text, onText } = props;
  const plain = (...kinds: Kind[]) => onPlain(entry.pieces.filter(({ kind }) => kinds.includes(kind)));
  const { dueDate, reminderTime, recurrence, deadlineDate, place, isSomeday } = entry;
  const saysPlace = place !== null || isSomeday;
  return (
    <>
      {dueDate !== null && (
        <PieceChip icon="upcoming" label={formatDate(dueDate, today)} onPlain={() => plain('date')} />
      )}
      {dueDate === null && !isSomeday && defaults.dueDate !== null && (
        <DefaultChip
          icon={defaults.dueDate === today ? 'today' : 'upcoming'}
          label={formatDate(defaults.dueDate, today)}
        />
      )}
      {reminderTime !== null && (
        <ReminderChip
          time={reminderTime}
          isToday={(dueDate ?? defaults.dueDate) === today}
          onPlain={() => plain('time', 'date')}
        />
      )}
      {recurrence !== null && (
        <PieceChip
          icon="repeat"
          label={describeRepeat(recurrence, dueDate)}
          onPlain={() => plain('repeat')}
        />
      )}
      {deadlineDate !== null && (
        <PieceChip icon="flag" label={formatDate(deadlineDate, today)} onPlain={() => plain('deadline')} />
      )}
      {!allowsDeadlines && entry.pieces.some(({ kind }) => kind === 'deadline') && (
        <PieceChip icon="flag" isCare label={words.deadlineNeedsPremium} onPlain={() => plain('deadline')} />
      )}
      {place !== null && <PieceChip icon="list" label={nameOf(place)} onPlain={() => plain('place')} />}
      {isSomeday && <PieceChip icon="someday" label={words.someday} onPlain={() => plain('someday')} />}
      {!saysPlace && defaults.place !== null && <DefaultChip icon="list" label={nameOf(defaults.place)} />}
      {!saysPlace && defaults.isSomeday && <DefaultChip icon="someday" label={words.someday} />}
      {dueDate === null && !isSomeday && <DateChip text={text} onText={onText} />}
      {reminderTime !== null && <ReminderNote />}
    </>
  );
}

function ReminderChip({ time, isToday, onPlain }: { time: string; isToday: boolean; onPlain: () => void }) {
  const store = useStore();
  const hasPassed = isToday && time <= civilNow(store.timeZone.value, store.today.value).time;
  const label = hasPassed ? words.passed(time) : time;
  return <PieceChip icon="bell" label={label} isCare={hasPassed} onPlain={onPlain} />;
}

type PieceChipProps = { icon: IconName; label: string; onPlain: () => void; isCare?: boolean };

function PieceChip({ icon, label, onPlain, isCare = false }: PieceChipProps) {
  return (
    <button
      type="button"
      class={isCare ? 'chip care' : 'chip'}
      title={words.makePlain}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPlain}
    >
      <Icon name={icon} small />
      <span dir="auto">{label}</span>
    </button>
  );
}

function DefaultChip({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span class="chip x">
      <Icon name={icon} small />
      <span dir="auto">{label}</span>
    </span>
  );
}
