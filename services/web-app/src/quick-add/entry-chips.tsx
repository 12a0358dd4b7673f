import { Icon, type IconName } from '../components/icon.tsx';
import { formatDate } from '../dates/format-calendar.ts';
import { AnnouncedAfterPause } from '../live/announced-after-pause.tsx';
import { ReminderNote } from '../reminders/reminder-note.tsx';
import { useStore } from '../store/store-context.ts';
import { entryWords as words } from '../words/entry-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { civilNow } from './load-grammar.ts';
import { PickChip, withWords } from './pick-chip.tsx';
import type { Piece } from './piece.ts';
import type { Entry } from './read-entry.ts';
import type { EntryForm } from './use-entry.ts';

type EntryChipsProps = {
  entry: Entry;
  form: EntryForm;
  onPlain: (pieces: readonly Piece[]) => void;
  onText: (text: string) => void;
};

type Kind = Piece['kind'];
/** `kinds`: the pieces that a press turns into plain text; none for a default of the screen. */
type Chip = { icon: IconName; label: string; kinds?: Kind[]; isCare?: boolean };

/** The recognised pieces as chips; a press turns a piece into plain text. */
export function EntryChips({ entry, form, onPlain, onText }: EntryChipsProps) {
  const store = useStore();
  const { time } = civilNow(store.timeZone.value);
  const chips = [...chipsOf(entry, form, time), ...placeChip(entry, form)];
  const said = chips.flatMap(({ kinds, label }) => (kinds === undefined ? [] : [label]));
  return (
    <>
      {chips.map((chip) => (
        <EntryChip
          key={chip.icon}
          {...chip}
          onPlain={(kinds) => onPlain(entry.pieces.filter(({ kind }) => kinds.includes(kind)))}
        />
      ))}
      {kindsToPick(entry, form).map((kind) => (
        <PickChip key={kind} kind={kind} text={form.text} onText={onText} />
      ))}
      {entry.place === null && !entry.isSomeday && (
        <button type="button" class="chip x" onClick={() => onText(withWords(form.text, '#'))}>
          <Icon name="list" small />
          {words.list}
        </button>
      )}
      {entry.reminderTime !== null && <ReminderNote />}
      <AnnouncedAfterPause text={said.join(', ')} />
    </>
  );
}

function kindsToPick({ dueDate, deadlineDate, recurrence, isSomeday }: Entry, form: EntryForm) {
  const kinds = [
    dueDate === null && ('date' as const),
    deadlineDate === null && form.allowsDeadlines && ('deadline' as const),
    recurrence === null && ('repeat' as const),
  ];
  return isSomeday ? [] : kinds.filter((kind) => kind !== false);
}

function chipsOf(entry: Entry, form: EntryForm, now: string): Chip[] {
  const { dueDate, reminderTime, recurrence, deadlineDate, isSomeday } = entry;
  const { defaults, today, allowsDeadlines } = form;
  const chips: Chip[] = [];
  const day = dueDate ?? (isSomeday ? null : defaults.dueDate);
  if (dueDate !== null) chips.push({ icon: 'upcoming', label: formatDate(dueDate, today), kinds: ['date'] });
  else if (day !== null)
    chips.push({ icon: day === today ? 'today' : 'upcoming', label: formatDate(day, today) });
  if (reminderTime !== null) chips.push(reminderChip(reminderTime, day === today && reminderTime <= now));
  if (recurrence !== null)
    chips.push({ icon: 'repeat', label: describeRepeat(recurrence, dueDate), kinds: ['repeat'] });
  if (deadlineDate !== null)
    chips.push({ icon: 'flag', label: formatDate(deadlineDate, today), kinds: ['deadline'] });
  else if (!allowsDeadlines && entry.pieces.some(({ kind }) => kind === 'deadline'))
    chips.push({ icon: 'flag', label: words.deadlineNeedsPremium, isCare: true, kinds: ['deadline'] });
  return chips;
}

function reminderChip(time: string, hasPassed: boolean): Chip {
  const label = hasPassed ? words.passed(time) : time;
  return { icon: 'bell', label, isCare: hasPassed, kinds: ['time', 'date'] };
}

function placeChip({ place, isSomeday }: Entry, { defaults, nameOf }: EntryForm): Chip[] {
  if (place !== null) return [{ icon: 'list', label: nameOf(place), kinds: ['place'] }];
  if (isSomeday) return [{ icon: 'someday', label: screenWords.someday, kinds: ['someday'] }];
  if (defaults.place !== null) return [{ icon: 'list', label: nameOf(defaults.place) }];
  return defaults.isSomeday ? [{ icon: 'someday', label: screenWords.someday }] : [];
}

type EntryChipProps = Chip & { onPlain: (kinds: readonly Kind[]) => void };

function EntryChip({ icon, label, kinds, isCare = false, onPlain }: EntryChipProps) {
  const content = (
    <>
      <Icon name={icon} small />
      <span class="cut" dir="auto">
        {label}
      </span>
    </>
  );
  if (kinds === undefined) return <span class="chip x">{content}</span>;
  return (
    <button
      type="button"
      class={isCare ? 'chip care' : 'chip'}
      title={words.makePlain}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onPlain(kinds)}
    >
      {content}
    </button>
  );
}
