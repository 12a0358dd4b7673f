import { appScreens } from '#shared/app/app-screens.ts';
import { capital } from '../words/capital.ts';

type Keys = readonly string[];

/** The one table of keys. `Mod` is ⌘ or Ctrl; a space parts the strokes of a sequence. */
export const keyGroups = {
  everywhere: {
    add: ['n'],
    addBelow: ['Shift+n'],
    palette: ['Mod+k', '/'],
    undo: ['Mod+z'],
    redo: ['Mod+Shift+z'],
    sidebar: ['\\'],
    keys: ['?'],
  },
  tasks: {
    open: ['Enter'],
    rename: ['r'],
    editNotes: ['e'],
    complete: ['Space'],
    skip: ['Shift+s'],
    cancel: ['Shift+Space'],
    plan: ['s'],
    today: ['t'],
    someday: ['o'],
    noDate: ['a'],
    dayLater: ['Ctrl+]'],
    dayEarlier: ['Ctrl+['],
    weekLater: ['Ctrl+Shift+]'],
    weekEarlier: ['Ctrl+Shift+['],
    deadline: ['d'],
    repeat: ['Shift+r'],
    move: ['m'],
    trash: ['Backspace', 'Delete'],
  },
  lists: {
    next: ['ArrowDown', 'j'],
    previous: ['ArrowUp', 'k'],
    first: ['Home'],
    last: ['End'],
    moveUp: ['Alt+ArrowUp'],
    moveDown: ['Alt+ArrowDown'],
    moveTop: ['Alt+Shift+ArrowUp'],
    select: ['x'],
    extendUp: ['Shift+ArrowUp'],
    extendDown: ['Shift+ArrowDown'],
    selectAll: ['Mod+a'],
    close: ['Escape'],
  },
  go: {
    goToday: ['g t'],
    goUpcoming: ['g u'],
    goInbox: ['g i'],
    goAnytime: ['g a'],
    goSomeday: ['g s'],
    goLogbook: ['g l'],
    goTrash: ['g x'],
    goActivity: ['g h'],
    goAssistants: ['g c'],
  },
} as const satisfies Record<string, Record<string, Keys>> & { go: Record<GoAction, Keys> };

/** The screens that have a key, a command and a link. */
export const goScreens = appScreens.filter((screen) => screen !== 'lists');
type GoScreen = (typeof goScreens)[number];
type GoAction = `go${Capitalize<GoScreen>}`;

export const goAction = (screen: GoScreen) => `go${capital(screen)}` as GoAction;

/** A value for the action of each of these screens. */
export function perGoAction<Value>(valueFor: (screen: GoScreen) => Value) {
  const values = goScreens.map((screen) => [goAction(screen), valueFor(screen)]);
  return Object.fromEntries(values) as Record<GoAction, Value>;
}

const keysByAction = { ...keyGroups.everywhere, ...keyGroups.tasks, ...keyGroups.lists, ...keyGroups.go };

export type ActionName = keyof typeof keysByAction;

/** What a menu shows beside the action. */
export function firstKeysOf(action: ActionName): string {
  return keysByAction[action][0];
}

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

/** Actions by resolved keys, `Mod` being the platform's. */
export const actionsByKeys: ReadonlyMap<string, ActionName> = new Map(
  Object.entries(keysByAction).flatMap(([action, all]) =>
    all.map((keys) => [keys.replace('Mod', isApple ? 'Meta' : 'Ctrl'), action as ActionName] as const),
  ),
);

/** What dictation types: letters, signs and blanks, which users must be able to turn off (WCAG 2.1.4). */
export function isSingleKey(keys: string): boolean {
  return keys.split(' ').every((stroke) => /^(Shift\+)?(.|Space)$/.test(stroke));
}

const appleNames: ReadonlyMap<string, string> = new Map([
  ['Mod', '⌘'],
  ['Ctrl', '⌃'],
  ['Alt', '⌥'],
  ['Shift', '⇧'],
]);
const names: ReadonlyMap<string, string> = new Map([
  ['Mod', 'Ctrl'],
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['Enter', '↵'],
  ['Escape', 'Esc'],
  ['Backspace', '⌫'],
  ['Delete', 'Del'],
]);

/** The caps to show, one list per stroke: `Mod+k` is ⌘ K or Ctrl K. */
export function keyCaps(keys: string): string[][] {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke.split('+').map((part) => (isApple ? appleNames.get(part) : undefined) ?? cap(part)),
    );
}

function cap(part: string): string {
  return names.get(part) ?? (part.length === 1 ? part.toUpperCase() : part);
}

/** One line: «⌘K», «Ctrl+K», «G then T». */
export function formatKeys(keys: string): string {
  return keyCaps(keys)
    .map((caps) => caps.join(isApple ? '' : '+'))
    .join(' then ');
}
