import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { TitleInput } from '../list/title-input.tsx';
import { MenuButton } from '../menu/menu-button.tsx';
import type { MenuItem } from '../menu/menu-state.ts';
import { screenWords as words } from '../words/screen-words.ts';

type ListHeadProps = {
  title: string;
  menu: (rename: () => void) => MenuItem[];
  onRename: (title: string) => void;
  children?: ComponentChildren;
};

/** The title of a project or area, which is renamed by its menu. */
export function ListHead({ title, menu, onRename, children }: ListHeadProps) {
  const [isRenaming, setRenaming] = useState(false);
  const end = (next: string | null) => {
    setRenaming(false);
    if (next !== null) onRename(next);
  };
  return (
    <div class="top">
      {children}
      <h1 class="grow" tabIndex={-1} dir="auto">
        {isRenaming ? <TitleInput title={title} label={words.titleOf(title)} onEnd={end} /> : title}
      </h1>
      <MenuButton label={words.actionsFor(title)} items={() => menu(() => setRenaming(true))} />
    </div>
  );
}
