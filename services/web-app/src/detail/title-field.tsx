import { detailWords as words } from '../words/detail-words.ts';
import { GrowingField } from './growing-field.tsx';
import { useAutosave } from './use-autosave.ts';

type TitleFieldProps = { title: string; isWritable: boolean; onSave: (title: string) => void };

export function TitleField({ title, isWritable, onSave }: TitleFieldProps) {
  const save = (value: string) => {
    if (value.trim() === '') return false;
    onSave(value.trim());
    return true;
  };
  const field = useAutosave(title, save, { isSame: (value, saved) => value.trim() === saved });
  return (
    <GrowingField
      readOnly={!isWritable}
      aria-label={words.title}
      value={field.value}
      onFocus={field.focus}
      onBlur={field.leave}
      onInput={(event) => field.change(event.currentTarget.value.replaceAll('\n', ' '))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Escape') field.restore();
        event.currentTarget.closest<HTMLElement>('.detail')?.focus();
      }}
    />
  );
}
