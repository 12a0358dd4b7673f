import { announce } from '../live/announce.tsx';
import type { Store } from '../store/store.ts';
import { placeWords } from '../words/place-words.ts';
import type { ListGroup, RowRef } from './list-group.ts';
import { groupOf, shownList, withSelected } from './list-state.ts';

/** What the toast says of tasks by their titles. */
export type Reordered = (titles: string[]) => string;

/** Moves the rows into the group, after that row or first. Another group changes their day or list. */
export function putRows(
  store: Store,
  refs: readonly RowRef[],
  target: ListGroup,
  after: string | null,
  reordered?: Reordered,
): void {
  const ids = refs.map((ref) => ref.id);
  if (refs[0]?.entity === 'project') {
    let previous = after;
    for (const id of ids) {
      store.commands.positionProject(id, previous);
      previous = id;
    }
    return;
  }
  const isWithin = ids.every((id) => target.rows.some((row) => row.id === id));
  const place = target.place;
  if (place === undefined) return;
  const options = target.isOrdered ? { after: taskBefore(target, after) } : {};
  if (isWithin) {
    if (target.isOrdered) store.commands.positionTask(ids, taskBefore(target, after), place.kind, reordered);
  } else if (place.kind === 'day') store.commands.plan(ids, place.date, options);
  else store.commands.moveTask(ids, place.destination, options);
}

/** Projects are on the day of their deadline. */
export const ordersProjects = (group: ListGroup): boolean =>
  group.isOrdered === true && group.place === undefined;

/** Groups of a day also contain projects, which are not ordered among tasks. */
function taskBefore(group: ListGroup, after: string | null): string | null {
  if (after === null) return null;
  const end = group.rows.findIndex((row) => row.id === after) + 1;
  return group.rows.slice(0, end).findLast((row) => row.entity === 'task')?.id ?? null;
}

let moves: Promise<unknown> = Promise.resolve();

/** Like `moveRow`, after the previous move is shown: keys repeat faster than the list updates. */
export function moveRowInTurn(store: Store, ref: RowRef, step: -1 | 1 | 'top'): Promise<unknown> {
  moves = moves.then(async () => {
    moveRow(store, { ...ref, id: store.idOf(ref.id) }, step);
    await store.settled();
    await new Promise(requestAnimationFrame);
  });
  return moves;
}

/** By one place, past the end of a group into the next one; with the other selected rows. Announces it. */
function moveRow(store: Store, ref: RowRef, step: -1 | 1 | 'top'): void {
  const refs = withSelected(ref.id).map((id): RowRef => ({ ...ref, id }));
  const leading = (step === 1 ? refs.at(-1) : refs[0]) ?? ref;
  const group = groupOf(leading.id);
  if (group === undefined) return;
  if (ref.entity === 'project' && !ordersProjects(group)) {
    store.notices.toast(placeWords.cannotReorder);
    return;
  }
  const place = step === 'top' ? { group, after: null, index: 0 } : placeBeside(group, refs, step);
  const name = refs.length === 1 ? titleOf(store, ref) : placeWords.several(refs.length);
  if (place === null) {
    const stays = placeWords.staysAtEnd(name, step === 1 ? 'last' : 'first', group.title);
    if (group.isOrdered) announce(stays);
    else store.notices.toast(placeWords.cannotReorder);
    return;
  }
  putRows(store, refs, place.group, place.after);
  // A toast names another group.
  if (place.group === group)
    announce(placeWords.movedTo(name, place.index + 1, alike(group, ref.entity).length));
}

const alike = (group: ListGroup, entity: RowRef['entity']): RowRef[] =>
  group.rows.filter((row) => row.entity === entity);

type FoundPlace = { group: ListGroup; after: string | null; index: number };

function placeBeside(group: ListGroup, refs: readonly RowRef[], step: -1 | 1): FoundPlace | null {
  const rows = alike(group, refs[0]?.entity ?? 'task');
  const isMoving = (row: RowRef) => refs.some(({ id }) => id === row.id);
  const others = rows.filter((row) => !isMoving(row));
  const edge = step === 1 ? rows.findLastIndex(isMoving) : rows.findIndex(isMoving);
  const to = others.filter((row) => rows.indexOf(row) < edge).length + step;
  if (to >= 0 && to <= others.length)
    return group.isOrdered ? { group, after: others[to - 1]?.id ?? null, index: to } : null;
  const groups = shownList.value?.groups ?? [];
  const index = groups.indexOf(group);
  const beyond = step === 1 ? groups.slice(index + 1) : groups.slice(0, index);
  const days = beyond.flatMap((each) => each.days ?? each);
  const candidates = step === 1 ? days : days.reverse();
  const next = candidates.find((other) => other.place !== undefined);
  if (next === undefined || group.place === undefined) return null;
  const last = next.rows.at(-1);
  return step === 1
    ? { group: next, after: null, index: 0 }
    : { group: next, after: last?.id ?? null, index: next.rows.length };
}

function titleOf(store: Store, ref: RowRef): string {
  const { tasks, projects } = store.rows;
  return (ref.entity === 'task' ? tasks : projects).find(ref.id)?.title ?? '';
}
