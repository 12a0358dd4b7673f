import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { formatDate } from '../dates/format-day.ts';
import { choice, dayChoices } from '../pickers/day-choices.tsx';
import { MonthGrid } from '../pickers/month-grid.tsx';
import { PickerDialog } from '../pickers/picker-dialog.tsx';
import { useTypedWhen } from '../pickers/use-typed-when.ts';
import { pickerWords } from '../words/picker-words.ts';
import { grammar } from './load-grammar.ts';
import { readWhen } from './read-when.ts';

type DateChipProps = {
  text: string;
  /** The text with the date in it, as it could have been typed. */
  onText: (text: string) => void;
};

/** Picks the date of an entry, for those who do not type it. */
export function DateChip({ text, onText }: DateChipProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="chip x" onClick={() => setOpen(true)}>
        <Icon name="upcoming" small />
        {pickerWords.date}
      </button>
      {isOpen && (
        <EntryDatePicker
          onClose={close}
          onPick={(words) => {
            close();
            onText(withDate(text, words));
          }}
        />
      )}
    </>
  );
}

type EntryDatePickerProps = { onClose: () => void; onPick: (words: string) => void };

function EntryDatePicker({ onClose, onPick }: EntryDatePickerProps) {
  const { text, setText, today, now, read, isPrefix } = useTypedWhen();
  // In words, where the grammar reads them as that very day.
  const pick = (date: string) => {
    const words = formatDate(date, today);
    const isRead = readWhen(words, { grammar: grammar.value, now })?.dueDate === date;
    onPick(isRead ? words : date);
  };
  const typed = text.trim();
  const choices = [
    ...(read === null ? [] : [choice('read', 'upcoming', typed, () => onPick(typed))]),
    ...dayChoices(today, pick).filter(isPrefix),
  ];
  return (
    <PickerDialog
      label={pickerWords.when}
      icon="upcoming"
      placeholder={pickerWords.whenPlaceholder}
      listLabel={pickerWords.days}
      text={text}
      onText={setText}
      choices={choices}
      nothing={pickerWords.notADay}
      onClose={onClose}
    >
      <MonthGrid selected={null} today={today} onPick={pick} />
    </PickerDialog>
  );
}

/** Behind the title of the first line: notes follow `//`. */
function withDate(text: string, words: string): string {
  const [, title = '', rest = ''] = /^(.*?)((?: \/\/ .*)?(?:\n[\s\S]*)?)$/u.exec(text) ?? [];
  return `${title.trimEnd()} ${words}${rest}`;
}
