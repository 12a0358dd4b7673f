import type { Page } from '#tests/support/api-types.ts';
import { type AccountState, type Kind, sectionsOf } from './account-state.ts';
import type { Operation } from './operation.ts';
import { shownRule } from './repeating-series.ts';

/** A request to the service, and its response. */
type WireRequest = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };
export type WireResponse = { status: number; body: unknown };
export type Send = (request: WireRequest) => Promise<WireResponse>;

/** Every page of a list. */
export async function readList<Item>(send: Send, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = '';
  do {
    const { status, body } = await send({ method: 'GET', path: `${path}&limit=200&cursor=${cursor}` });
    if (status !== 200) throw new Error(`${path} is answered with ${status} ${JSON.stringify(body)}`);
    const page = body as Page<Item>;
    items.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return items;
}

/** What the service has for the model's ids, and for its numbers of writes. */
export type Wire = { ids: Map<string, string>; timestamps: Map<number, string> };

export function newWire(): Wire {
  return { ids: new Map([['missing', '00000000-0000-4000-8000-000000000000']]), timestamps: new Map() };
}

/** The service's form of something of the model, as JSON; what comes from the service stays as it is. */
function toWire({ ids, timestamps }: Wire, value: unknown): string {
  return JSON.stringify(value, (key, part) => {
    if (typeof part === 'string') return ids.get(part) ?? part;
    return key.endsWith('At') && typeof part === 'number' ? timestamps.get(part) : part;
  });
}

/** As `toWire`, to compare: without what the model does not know, and with keys in one order. */
export function wireText(wire: Wire, value: unknown): string {
  const known = JSON.parse(toWire(wire, value));
  return JSON.stringify(known, (key, part) => {
    if (key === 'descriptionHtml') return undefined;
    if (key === 'checklist') return part.map(({ id: _, ...item }: { id?: string }) => item);
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** The request that asks the service for an operation; `change account` is not a client's to ask. */
export function requestFor(operation: Operation, wire: Wire): WireRequest {
  const wireId = (id: string) => wire.ids.get(id);
  const [verb, kind] = operation.do.split(' ');
  const collection =
    'projectId' in operation ? `/projects/${wireId(operation.projectId)}/sections` : `/${kind}s`;
  const path = 'id' in operation ? `${collection}/${wireId(operation.id)}` : collection;
  const sent = 'body' in operation && { body: JSON.parse(toWire(wire, operation.body)) };
  if (verb === 'create') return { method: 'POST', path, ...sent };
  if (verb === 'patch') return { method: 'PATCH', path, ...sent };
  if (verb === 'trash' || verb === 'delete') return { method: 'DELETE', path };
  return { method: 'POST', path: `${path}/${verb}`, ...sent };
}

/** What clients are shown of a resource. */
export function shownOf(state: AccountState, kind: Kind, id: string): object | undefined {
  if (kind === 'task') return shownTask(state, id);
  if (kind === 'project') return shownProject(state, id);
  if (kind === 'area') return state.area[id];
  return state.section[id] && { ...state.section[id], position: undefined };
}

function shownTask(state: AccountState, id: string): object | undefined {
  const task = state.task[id];
  if (task === undefined) return undefined;
  const { anchor, series: _, rank: __, trashedAt, ...shown } = task;
  return {
    ...shown,
    recurrence: task.recurrence && shownRule(task.recurrence, anchor ?? ''),
    checklist: task.checklist.map(({ title, completed }) => ({ title, completed })),
    inTrash: trashedAt !== null,
    inLogbook: task.status !== 'open' && trashedAt === null,
  };
}

function shownProject(state: AccountState, id: string): object {
  const sections = sectionsOf(state, id).map((section) => shownOf(state, 'section', section.id));
  return { ...state.project[id], sections, cancelledAt: null };
}
