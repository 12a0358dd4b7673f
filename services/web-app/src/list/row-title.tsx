import { screenWords } from '../words/screen-words.ts';
import { cell } from './cell.ts';
import { renaming } from './list-state.ts';
import { TitleInput } from './title-input.tsx';

export function rowTitle(title: string, isRenaming: boolean, onSave: (title: string) => void) {
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
      <TitleInput class="rename" title={title} label={screenWords.titleOf(title)} onEnd={end} />
    </span>
  );
}
