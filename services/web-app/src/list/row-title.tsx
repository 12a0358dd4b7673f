import { useEffect, useRef } from 'preact/hooks';
import { focusRow, renaming } from './list-state.ts';

type RowTitleProps = {
  title: string;
  isRenaming: boolean;
  label: string;
  onSave: (title: string) => void;
};

export function RowTitle({ title, isRenaming, label, onSave }: RowTitleProps) {
  if (!isRenaming) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
      <span role="gridcell" class="t" dir="auto" tabIndex={-1} data-cell="title">
        {title}
      </span>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    // biome-ignore lint/a11y/useFocusableInteractive: the field inside takes the focus
    <span role="gridcell" class="grow">
      <RenameField title={title} label={label} onSave={onSave} />
    </span>
  );
}

/** ↵ and leaving save, Esc restores. */
function RenameField({ title, label, onSave }: Omit<RowTitleProps, 'isRenaming'>) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (save: boolean, returnFocus: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const text = field.current?.value.trim() ?? '';
    const id = renaming.value;
    renaming.value = null;
    if (save && text !== '' && text !== title) onSave(text);
    if (returnFocus && id !== null) focusRow(id);
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    end(event.key === 'Enter', true);
  };
  return (
    <input
      ref={field}
      class="rename"
      dir="auto"
      maxLength={titleLength}
      defaultValue={title}
      aria-label={label}
      onKeyDown={press}
      onBlur={() => end(true, false)}
    />
  );
}

const titleLength = 1024;
