import type { ComponentChildren } from 'preact';
import { useRenaming } from '../list/use-renaming.tsx';
import { MenuButton } from '../menu/menu-button.tsx';
import type { MenuItem } from '../menu/menu-state.ts';
import { screenWords as words } from '../words/screen-words.ts';

type ListHeadProps = {
  title: string;
  menu: (rename: () => void) => MenuItem[];
  onRename: (title: string) => void;
  children?: ComponentChildren;
};

export function ListHead({ title, menu, onRename, children }: ListHeadProps) {
  const { field, rename } = useRenaming(title, onRename);
  return (
    <div class="top">
      {children}
      <h1 class="grow" tabIndex={-1} dir="auto">
        {field || title}
      </h1>
      <MenuButton label={words.actionsFor(title)} items={() => menu(rename)} />
    </div>
  );
}
