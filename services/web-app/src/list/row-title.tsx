import { Cell } from './cell.tsx';
import { renaming } from './list-state.ts';
import { TitleInput } from './title-input.tsx';

type RowTitleProps = {
  title: string;
  isRenaming: boolean;
  label: string;
  onSave: (title: string) => void;
};

export function RowTitle({ title, isRenaming, label, onSave }: RowTitleProps) {
  if (!isRenaming) {
    return (
      <Cell class="t cut" dir="auto" tabIndex={-1} data-cell="title">
        {title}
      </Cell>
    );
  }
  const end = (newTitle: string | null) => {
    renaming.value = null;
    if (newTitle !== null) onSave(newTitle);
  };
  return (
    <Cell class="grow">
      <TitleInput class="rename" title={title} label={label} onEnd={end} />
    </Cell>
  );
}
