import { useState } from 'preact/hooks';
import { screenWords as words } from '../words/screen-words.ts';
import { TitleInput } from './title-input.tsx';

/** Renames where the title stands: `field` takes its place until it is written. */
export function useRenaming(title: string, onRename: (title: string) => void) {
  const [isRenaming, setRenaming] = useState(false);
  const end = (next: string | null) => {
    setRenaming(false);
    if (next !== null) onRename(next);
  };
  const field = isRenaming && <TitleInput title={title} label={words.titleOf(title)} onEnd={end} />;
  return { field, rename: () => setRenaming(true) };
}
