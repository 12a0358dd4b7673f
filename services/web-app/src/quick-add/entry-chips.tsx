import { Icon, type IconName } from '../components/icon.tsx';
import { formatDate } from '../dates/format-day.ts';
import { quickAddWords as words } from '../words/quick-add-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { DateChip } from './date-chip.tsx';
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
        <DefaultChip icon="today" label={formatDate(defaults.dueDate, today)} />
      )}
      {reminderTime !== null && (
        <PieceChip icon="bell" label={reminderTime} onPlain={() => plain('time', 'date')} />
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
        <PieceChip
          icon="flag"
          isRefused
          label={words.deadlineNeedsPremium}
          onPlain={() => plain('deadline')}
        />
      )}
      {place !== null && <PieceChip icon="list" label={nameOf(place)} onPlain={() => plain('place')} />}
      {isSomeday && <PieceChip icon="someday" label={words.someday} onPlain={() => plain('someday')} />}
      {!saysPlace && defaults.place !== null && <DefaultChip icon="list" label={nameOf(defaults.place)} />}
      {!saysPlace && defaults.isSomeday && <DefaultChip icon="someday" label={words.someday} />}
      {dueDate === null && !isSomeday && <DateChip text={text} onText={onText} />}
    </>
  );
}

type PieceChipProps = { icon: IconName; label: string; onPlain: () => void; isRefused?: boolean };

function PieceChip({ icon, label, onPlain, isRefused = false }: PieceChipProps) {
  return (
    <button
      type="button"
      class={isRefused ? 'chip care' : 'chip'}
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
