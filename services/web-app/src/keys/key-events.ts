import { effect, type Signal, signal } from '@preact/signals';
import { deviceStorage } from '../store/device-storage.ts';
import { type ActionName, actionsByKeys, isSingleKey, keyGroups } from './key-map.ts';

const storageName = 'single-keys';
const sequenceMilliseconds = 1000;
const pauseMilliseconds = 1000;
const endsTyping = new Set(['Enter', 'Escape', 'Tab']);

/** Stored per device; `?` shows the switch. */
export const singleKeysOn: Signal<boolean> = signal(deviceStorage.getItem(storageName) !== 'off');
effect(() => {
  if (singleKeysOn.value) deviceStorage.removeItem(storageName);
  else deviceStorage.setItem(storageName, 'off');
});

/** Runs an action of the table; returns false if it does not apply and the browser handles the key. */
type RunAction = (action: ActionName) => boolean;

let heldUntil = 0;

/** Ignores keys until a pause or Escape: the focused element was removed, so they were meant for it. */
export function holdKeys(): void {
  heldUntil = performance.now() + pauseMilliseconds;
}

/** Holds keys when a field is removed while it is being typed in. */
function watchFields(signal: AbortSignal): void {
  let field: Element | null = null;
  const look = () => {
    if (field === null || field.isConnected) return;
    field = null;
    holdKeys();
  };
  const options = { capture: true, signal };
  const follow = ({ target }: Event) => {
    look();
    if (target instanceof Element && target.matches('input, textarea')) field = target;
  };
  const hold = (event: KeyboardEvent) => {
    // A key of an input method. In Safari the key that ends a composition follows it and is marked only by
    // its code.
    if (event.isComposing || event.keyCode === 229) {
      event.stopPropagation();
      return;
    }
    follow(event);
    if (field === null && event.key !== 'Escape' && performance.now() < heldUntil) {
      holdKeys();
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    heldUntil = 0;
    if (endsTyping.has(event.key)) field = null;
  };
  document.addEventListener('focusin', follow, options);
  const leave = () => {
    field = null;
  };
  // «Back» closes a dialog with its field. After a drag WebKit omits the next `pointerdown`.
  for (const name of ['pointerdown', 'pointerup', 'popstate']) window.addEventListener(name, leave, options);
  document.addEventListener('keydown', hold, options);
}

export function startKeys(run: RunAction): () => void {
  const ending = new AbortController();
  watchFields(ending.signal);
  const readAction = sequenceReader();
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    // Held down, Enter would press button after button: focus goes to the next one.
    if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
      event.preventDefault();
    const action = readAction(event);
    if (action === null) return;
    // Held down, Space would complete row after row.
    const isHeld = event.repeat && !event.ctrlKey && action in keyGroups.tasks;
    if (isHeld || run(action)) event.preventDefault();
  };
  document.addEventListener('keydown', listen, { signal: ending.signal });
  return () => ending.abort();
}

/** Remembers `g` for a second: the next key completes the sequence. */
function sequenceReader(): (event: KeyboardEvent) => ActionName | null {
  let first: { stroke: string; at: number } | null = null;
  return (event) => {
    const stroke = strokeOf(event);
    if (stroke === null) return null;
    const before = first !== null && event.timeStamp - first.at < sequenceMilliseconds ? first.stroke : null;
    first = null;
    const sequence = before === null ? stroke : `${before} ${stroke}`;
    const keys = actionsByKeys.has(sequence) ? sequence : stroke;
    if (!isAllowed(keys, event)) return null;
    if (keys === 'g') first = { stroke, at: event.timeStamp };
    return actionsByKeys.get(keys) ?? null;
  };
}

function isAllowed(keys: string, event: KeyboardEvent): boolean {
  if (isSingleKey(keys) && !singleKeysOn.value) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target === null) return true;
  if (actionsByKeys.get(keys) === 'palette' && !isSingleKey(keys)) return true;
  if (target.closest('input, textarea, select, [contenteditable], dialog, [role="menu"]') !== null)
    return false;
  if (keys !== 'Enter' && keys !== 'Space') return true;
  // Space does not activate links.
  const link = keys === 'Enter' ? 'a, ' : '';
  return target.closest(`${link}button, summary, [role="checkbox"]`) === null;
}

const brackets = new Map([
  ['{', '['],
  ['}', ']'],
  ['BracketLeft', '['],
  ['BracketRight', ']'],
]);

/** `Ctrl+Shift+]`, `n`, `Shift+ArrowUp`; null for a modifier alone. */
function strokeOf(event: KeyboardEvent): string | null {
  const { key } = event;
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(key)) return null;
  const base = brackets.get(key) ?? (key === ' ' ? 'Space' : latinKey(event));
  const isSign = base.length === 1 && base.toLowerCase() === base.toUpperCase() && base === key;
  const parts = [
    event.ctrlKey && 'Ctrl',
    event.metaKey && 'Meta',
    event.altKey && 'Alt',
    event.shiftKey && !isSign && 'Shift',
    base.length === 1 ? base.toLowerCase() : base,
  ];
  return parts.filter((part) => part !== false).join('+');
}

/** The letter or bracket by the key's position, for layouts that are not Latin. */
function latinKey({ key, code }: KeyboardEvent): string {
  if (/^[\x20-\x7e]$/.test(key) || key.length > 1) return key;
  return brackets.get(code) ?? (code.startsWith('Key') ? code.slice(3) : key);
}
