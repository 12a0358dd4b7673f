import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { isNarrow } from '../frame/layout.ts';
import { formatKeys } from '../keys/key-map.ts';
import { taskMenu } from '../list/row-menu.ts';
import { useStore } from '../store/store-context.ts';
import { closeMenu, type MenuItem, type OpenMenu, openedMenu } from './menu-state.ts';

/** The menu of the page, in the top layer; closed by Escape and a press outside. */
export function MenuHost() {
  const menu = openedMenu.value;
  if (menu === null) return null;
  // All content must be in landmarks.
  return (
    <section aria-label={menu.label}>
      <Menu key={menu.label} menu={menu} />
    </section>
  );
}

function Menu({ menu }: { menu: OpenMenu }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const items = useMemo(
    () => ('taskId' in menu.items ? taskMenu(store, menu.items.taskId) : menu.items),
    [menu, store],
  );
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.showPopover();
    place(element, menu);
    itemsOf(element)[0]?.focus();
    document.body.classList.toggle('is-under-menu', menu.isTray !== true);
    return () => document.body.classList.remove('is-under-menu');
  }, [menu]);
  useEffect(() => {
    // Only a menu button has this state, not a row.
    const button = menu.anchor.matches('[aria-haspopup]') ? menu.anchor : null;
    button?.setAttribute('aria-expanded', 'true');
    return () => {
      button?.setAttribute('aria-expanded', 'false');
      if (document.activeElement === document.body && menu.anchor.isConnected) menu.anchor.focus();
    };
  }, [menu]);
  const choose = (item: Exclude<MenuItem, 'line'>) => {
    if (item.disabledReason != null) return;
    if (item.stays !== true) {
      menu.anchor.focus();
      closeMenu();
    }
    item.run();
  };
  return (
    <div
      ref={box}
      role="menu"
      tabIndex={-1}
      class={menu.isTray ? 'menu tray' : 'menu'}
      popover="auto"
      aria-label={menu.label}
      onToggle={(event) => event.newState === 'closed' && openedMenu.value === menu && closeMenu()}
      onKeyDown={(event) => pressInMenu(event, menu)}
    >
      {items.map((item, index) =>
        item === 'line' ? (
          <hr key={index} />
        ) : (
          <button
            type="button"
            role="menuitem"
            key={item.label}
            tabIndex={-1}
            aria-disabled={item.disabledReason != null || undefined}
            title={item.disabledReason ?? undefined}
            onClick={() => choose(item)}
          >
            <Icon name={item.icon} />
            {item.label}
            {item.keys !== undefined && <kbd class="hide-phone">{formatKeys(item.keys)}</kbd>}
          </button>
        ),
      )}
    </div>
  );
}

function itemsOf(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

const pauseMilliseconds = 700;
/** Letters typed without a pause, matched with the start of labels. */
let typed = { text: '', at: 0 };

function typeInMenu(letter: string, at: number, items: readonly HTMLElement[], present: number): void {
  const isMore = at - typed.at < pauseMilliseconds && typed.text !== '';
  typed = { text: isMore ? typed.text + letter : letter.trim(), at };
  if (typed.text === '') return;
  // A single letter moves to the next match; further letters may still match this item.
  const first = isMore ? present : present + 1;
  const later = [...items.slice(first), ...items.slice(0, first)];
  later.find((item) => item.textContent.trim().toLowerCase().startsWith(typed.text))?.focus();
}

function pressInMenu(event: KeyboardEvent & { currentTarget: HTMLElement }, menu: OpenMenu): void {
  if (event.key === 'Escape' || event.key === 'Tab') {
    menu.anchor.focus();
    closeMenu();
  } else if (!moveInMenu(event, itemsOf(event.currentTarget))) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Arrows, Home, End and letters go to another item; false for other keys. */
function moveInMenu(event: KeyboardEvent, items: readonly HTMLElement[]): boolean {
  const present = items.indexOf(document.activeElement as HTMLElement);
  const targets: Record<string, number> = {
    ArrowDown: (present + 1) % items.length,
    ArrowUp: (present - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[event.key];
  if (target !== undefined) {
    typed.text = '';
    items[target]?.focus();
    return true;
  }
  if (event.key.length !== 1) return false;
  typeInMenu(event.key.toLowerCase(), event.timeStamp, items, present);
  // Otherwise Space activates the item.
  return typed.text !== '';
}

const gap = 4;
const edge = 8;

/** Placed below the anchor, or above it without room, always within the window. */
function place(element: HTMLElement, { anchor, point, isTray }: OpenMenu): void {
  const around = anchor.getBoundingClientRect();
  if (isTray) {
    element.style.insetInlineEnd = '0';
    element.style.top = `${around.top}px`;
    element.style.height = `${around.height}px`;
    return;
  }
  // On phones it is a sheet at the bottom.
  if (isNarrow.value) return;
  const { width, height } = element.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(anchor).direction === 'rtl';
  const start = point?.x ?? (isRightToLeft ? around.left : around.right - width);
  const below = point?.y ?? around.bottom + gap;
  const top = below + height + edge > innerHeight ? (point?.y ?? around.top - gap) - height : below;
  element.style.left = `${Math.max(edge, Math.min(start, innerWidth - width - edge))}px`;
  element.style.top = `${Math.max(edge, top)}px`;
}
