import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { longestChecklist } from '#shared/validation/text-limits.ts';
import { announce } from '../live/announce.tsx';
import type { MenuItem } from '../menu/menu-state.ts';
import { grammar } from '../quick-add/load-grammar.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import type { ChecklistInput } from '../store/task-drafts.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { actionLabels } from '../words/key-words.ts';
import { placeWords } from '../words/place-words.ts';
import { quickAddWords } from '../words/quick-add-words.ts';
import {
  changeItem,
  type Items,
  isSameList,
  joinItem,
  keepEmpty,
  moveItem,
  pasteLines,
  splitItem,
  withoutEmpty,
} from './checklist-edits.ts';
import { useAutosave } from './use-autosave.ts';

/** The next focus: an item's text or, without a caret, its menu. */
type Focus = { index: number; caret: number | null };

/** State of the checklist editor: saves automatically; edits by keys, menus and the clipboard. */
export function useChecklist(task: TaskRow) {
  const store = useStore();
  const list = useRef<HTMLUListElement>(null);
  const focusNext = useRef<Focus | null>(null);
  const saved: Items = task.checklist ?? [];
  const save = (changed: Items, base: Items | undefined) => {
    store.commands.patchTask(task.id, { checklist: withoutEmpty(changed) }, { checklist: base });
    return true;
  };
  const withLastingId = (item: ChecklistInput) => ({ ...item, id: store.idOf(item.id ?? '') });
  const field = useAutosave(saved, save, {
    isSame: (draft, shown) => isSameList(withoutEmpty(draft), shown),
    keep: (draft, shown) => keepEmpty(draft.map(withLastingId), shown),
  });
  const items = field.value;

  useLayoutEffect(() => {
    const next = focusNext.current;
    if (next === null) return;
    focusNext.current = null;
    const item = list.current?.children[next.index];
    if (next.caret === null) {
      const menu = item?.querySelector<HTMLElement>('[aria-haspopup]');
      (menu ?? list.current?.closest<HTMLElement>('.detail'))?.focus();
      return;
    }
    const input = item?.querySelector('textarea');
    input?.focus();
    input?.setSelectionRange(next.caret, next.caret);
  });

  function change(next: Items, focus: Focus | null, when: 'now' | 'soon' = 'now'): void {
    if (next.length > longestChecklist) {
      store.notices.toast(quickAddWords.tooManyItems(longestChecklist));
      return;
    }
    focusNext.current = focus;
    field.change(next, when);
  }

  function move(index: number, step: -1 | 1, caret: number | null): void {
    const to = Math.min(Math.max(index + step, 0), items.length - 1);
    change(moveItem(items, index, step), { index: to, caret });
    announce(placeWords.movedTo(items[index]?.title ?? '', to + 1, items.length));
  }

  return {
    list,
    items,
    change,
    focus: field.focus,

    leave({ relatedTarget: next }: FocusEvent): void {
      // The item was removed; another one gets the focus.
      if (focusNext.current !== null) return;
      // A covered window keeps its focus.
      const isIn = (element: unknown) => element instanceof Node && list.current?.contains(element);
      if (!isIn(next) && !isIn(document.activeElement)) field.leave();
    },

    keyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>, index: number): void {
      const { selectionStart: caret } = event.currentTarget;
      const edit = editOf(event.key, items, index, event.currentTarget);
      const step = moves.find(({ keys }) => event.altKey && keys === `Alt+${event.key}`)?.step;
      if (step === undefined && goBeside(event)) return;
      if (event.key === 'Escape') event.currentTarget.closest<HTMLElement>('.detail')?.focus();
      if (edit === null && step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (step !== undefined) move(index, step, caret);
      else if (edit !== null) change(edit.items, edit.focus);
    },

    paste(event: TargetedClipboardEvent<HTMLTextAreaElement>, index: number): void {
      const lines = grammar.value.readLines(event.clipboardData?.getData('text/plain') ?? '');
      if (lines.length < 2) return;
      event.preventDefault();
      const { selectionStart: caret } = event.currentTarget;
      const last = index + lines.length - 1;
      const pasted = pasteLines(withoutSelected(items, index, event.currentTarget), index, caret, lines);
      change(pasted, { index: last, caret: lines.at(-1)?.text.length ?? 0 });
    },

    /** The same actions as the keys. The focus stays on the menu, to move an item further. */
    menuOf(index: number): MenuItem[] {
      const possible = moves.filter(({ step }) => items[index + step] !== undefined);
      const next = { index: Math.min(index, items.length - 2), caret: null };
      return [
        ...possible.map(({ step, ...item }) => ({ ...item, run: () => move(index, step, null) })),
        { label: words.removeItem, icon: 'trash', run: () => change(items.toSpliced(index, 1), next) },
      ];
    },
  };
}

/** ↑ on the first and ↓ on the last line of a text go to the neighbouring item. */
function goBeside(event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean {
  const { key, currentTarget: field } = event;
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || event.shiftKey) return false;
  const item = field.closest('li');
  const beside = key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
  const isOneLine = field.clientHeight < 2 * Number.parseFloat(getComputedStyle(field).lineHeight);
  const caret = field.selectionStart;
  const next = beside?.querySelector('textarea');
  if (next == null || !(isOneLine || caret === (key === 'ArrowDown' ? field.value.length : 0))) return false;
  event.preventDefault();
  next.focus();
  next.setSelectionRange(caret, caret);
  return true;
}

type Edit = { items: Items; focus: Focus };

type Selected = { selectionStart: number; selectionEnd: number };

/** Removes the selected text, which a new line replaces. */
function withoutSelected(items: Items, index: number, { selectionStart, selectionEnd }: Selected): Items {
  const { title = '' } = items[index] ?? {};
  return changeItem(items, index, { title: title.slice(0, selectionStart) + title.slice(selectionEnd) });
}

/** The edit of a key; null: the browser handles it. */
function editOf(key: string, items: Items, index: number, selected: Selected): Edit | null {
  const { selectionStart: caret, selectionEnd } = selected;
  // The item is empty already.
  if (key === 'Enter' && items[index]?.title === '') return { items, focus: { index, caret: 0 } };
  if (key === 'Enter')
    return {
      items: splitItem(withoutSelected(items, index, selected), index, caret),
      focus: { index: index + 1, caret: 0 },
    };
  if (key === 'Backspace' && selectionEnd === 0) {
    const end = items[index - 1]?.title.length ?? 0;
    return { items: joinItem(items, index), focus: { index: Math.max(0, index - 1), caret: end } };
  }
  return null;
}

const moves = [
  { label: actionLabels.moveUp, icon: 'up', keys: 'Alt+ArrowUp', step: -1 },
  { label: actionLabels.moveDown, icon: 'down', keys: 'Alt+ArrowDown', step: 1 },
] as const;
