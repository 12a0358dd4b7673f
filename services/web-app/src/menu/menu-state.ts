import { type ReadonlySignal, signal } from '@preact/signals';
import type { IconName } from '../components/icon.tsx';

/** `stays`: the menu stays open for repeated presses. */
export type MenuItem =
  | {
      label: string;
      icon: IconName;
      keys?: string;
      disabledReason?: string | null;
      stays?: boolean;
      run: () => void;
    }
  | 'line';

export type OpenMenu = {
  label: string;
  /** Items of a row are created when its menu is shown. */
  items: readonly MenuItem[] | { taskId: string };
  /** Below this element; it gets the focus back. */
  anchor: HTMLElement;
  /** At the pointer instead. */
  point: { x: number; y: number } | null;
  /** Side by side over the end of the anchor, after a swipe. */
  isTray?: boolean;
};

const present = signal<OpenMenu | null>(null);
export const openedMenu: ReadonlySignal<OpenMenu | null> = present;

export function openMenu(menu: OpenMenu): void {
  present.value = menu;
}

export function closeMenu(): void {
  present.value = null;
}
