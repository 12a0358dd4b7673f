import { location } from '../router.ts';
import { listWords } from '../words/list-words.ts';

/** Marks records that are leaving their list. */
const mark = 'data-leaves';

/** Before the focused record is removed: focuses the same control of the next record, or the previous one. */
export function leaveRecord(control: '.c' | '.btn'): void {
  const present = document.activeElement?.closest('li.record');
  if (present == null) return;
  const records = [...document.querySelectorAll('li.record')];
  present.setAttribute(mark, '');
  const place = records.indexOf(present);
  const stays = (record: Element) => !record.hasAttribute(mark);
  const next = records.slice(place).find(stays) ?? records.slice(0, place).findLast(stays);
  const target = next?.querySelector<HTMLElement>(control) ?? next?.querySelector('a');
  (target ?? document.querySelector('h1'))?.focus();
}

/** Reopens the task of the focused record; false if it has no check box. */
export function pressBox(): boolean {
  const box = document.activeElement?.closest('li.record')?.querySelector<HTMLElement>('button.c');
  box?.click();
  return box != null;
}

/** Why keys do not apply to the focused record; null elsewhere. */
export function keyHint(): string | null {
  if (document.activeElement?.closest('li.record') == null) return null;
  return location.value.route.screen === 'trash' ? listWords.restoreFirst : listWords.openFirst;
}

/** Moves the focus by this many records or Activity entries, to their link or button; false: none. */
export function moveInRecords(step: number): boolean {
  const records = [...document.querySelectorAll('li.record, .page li.batch')];
  const present = records.findIndex((record) => record.contains(document.activeElement));
  const start = present === -1 && step < 0 ? records.length : present;
  const record = records[Math.min(Math.max(start + step, 0), records.length - 1)];
  const target = record?.querySelector<HTMLElement>('a.t') ?? record?.querySelector<HTMLElement>('.btn');
  target?.focus();
  return target != null;
}
