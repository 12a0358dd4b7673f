import { cell } from './cell.ts';
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
      <span {...cell} class="t cut" dir="auto" tabIndex={-1} data-cell="title">
        {title}
      </span>
    );
  }
  const end = (newTitle: string | null) => {
    renaming.value = null;
    if (newTitle !== null) onSave(newTitle);
  };
  return (
    <span {...cell} class="grow">
      <TitleInput class="rename" title={title} label={label} onEnd={end} />
    </span>
  );
}
