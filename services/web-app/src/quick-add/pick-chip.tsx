import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { formatDate } from '../dates/format-calendar.ts';
import { choice } from '../overlays/titled-choice.tsx';
import { dayChoices } from '../pickers/day-choices.ts';
import { MonthGrid } from '../pickers/month-grid.tsx';
import { PickerDialog } from '../pickers/picker-dialog.tsx';
import { deadlineField, repeatField, whenField } from '../pickers/picker-fields.ts';
import { useTypedWhen } from '../pickers/use-typed-when.ts';
import { capital } from '../words/capital.ts';
import { pickerWords } from '../words/picker-words.ts';
import { grammar } from './load-grammar.ts';
import { readWhen } from './read-when.ts';

type Kind = 'date' | 'deadline' | 'repeat';
type PickChipProps = {
  kind: Kind;
  text: string;
  /** The text with the picked value inserted as if typed. */
  onText: (text: string) => void;
};

const icons = { date: 'upcoming', deadline: 'flag', repeat: 'repeat' } as const;

/** Picks a date, deadline or repeat of an entry instead of typing it. */
export function PickChip({ kind, text, onText }: PickChipProps) {
  const [isOpen, setOpen] = useState(false);
  const Picker = kind === 'repeat' ? EntryRepeatPicker : EntryDatePicker;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="chip x" onClick={() => setOpen(true)}>
        <Icon name={icons[kind]} small />
        {kind === 'repeat' ? pickerWords.repeatLabel : pickerWords[kind]}
      </button>
      {isOpen && (
        <Picker
          kind={kind}
          onClose={close}
          onPick={(words) => {
            close();
            onText(withWords(text, kind === 'deadline' ? `!${words}` : words));
          }}
        />
      )}
    </>
  );
}

type EntryPickerProps = { kind: Kind; onClose: () => void; onPick: (words: string) => void };

function EntryDatePicker({ kind, onClose, onPick }: EntryPickerProps) {
  const { typed, today, now, read, isPrefix } = useTypedWhen();
  // In words, if the grammar parses them as the same day.
  const pick = (date: string) => {
    const words = formatDate(date, today);
    const isRead = readWhen(words, { grammar: grammar.value, now })?.dueDate === date;
    onPick(isRead ? words : date);
  };
  const said = typed.text.trim();
  const isDay = read?.reminderTime === null && read.recurrence === null;
  const isWanted = read !== null && (kind === 'date' || isDay);
  const choices = [
    ...(isWanted ? [choice('read', icons[kind], said, () => onPick(said))] : []),
    ...dayChoices(today, pick).filter(isPrefix),
  ];
  return (
    <PickerDialog
      {...(kind === 'date' ? whenField : deadlineField)}
      {...typed}
      choices={choices}
      onClose={onClose}
    >
      <MonthGrid selected={null} today={today} onPick={pick} />
    </PickerDialog>
  );
}

function EntryRepeatPicker({ onClose, onPick }: EntryPickerProps) {
  const { typed, read, isPrefix } = useTypedWhen();
  const rule = (words: string) => choice(words, 'repeat', capital(words), () => onPick(words));
  const usual = pickerWords.repeats.map(rule).filter(isPrefix);
  return (
    <PickerDialog
      {...repeatField}
      {...typed}
      choices={read?.recurrence && usual.length === 0 ? [rule(typed.text.trim())] : usual}
      onClose={onClose}
    />
  );
}

/** The end of the first line's title: notes follow `//`. */
export function withWords(text: string, words: string): string {
  const [, title = '', rest = ''] = /^(.*?)((?: \/\/ .*)?(?:\n[\s\S]*)?)$/u.exec(text) ?? [];
  return `${title.trimEnd()} ${words}${rest}`;
}
