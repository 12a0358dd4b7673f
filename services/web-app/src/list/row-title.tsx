import { endRenaming } from './list-state.ts';
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
      // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
      <span role="gridcell" class="t" dir="auto" tabIndex={-1} data-cell="title">
        {title}
      </span>
    );
  }
  const end = (newTitle: string | null) => {
    endRenaming();
    if (newTitle !== null) onSave(newTitle);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    // biome-ignore lint/a11y/useFocusableInteractive: the field inside takes the focus
    <span role="gridcell" class="grow">
      <TitleInput class="rename" title={title} label={label} onEnd={end} />
    </span>
  );
}
