import { Icon } from '../components/icon.tsx';
import { closeMenu, type OpenMenu, openedMenu, openMenu } from './menu-state.ts';

type MenuButtonProps = { label: string; class?: string; tabIndex?: number; items: () => OpenMenu['items'] };

export function MenuButton({ label, class: className = '', tabIndex, items }: MenuButtonProps) {
  const open = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    event.stopPropagation();
    event.preventDefault();
    if (openedMenu.value?.anchor === event.currentTarget) closeMenu();
    else openMenu({ label, items: items(), anchor: event.currentTarget, point: null });
  };
  return (
    <button
      type="button"
      class={`icon-btn ${className}`}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      tabIndex={tabIndex}
      onClick={open}
    >
      {Icon({ name: 'more' })}
    </button>
  );
}
