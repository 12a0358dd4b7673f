import { isDeepStrictEqual } from 'node:util';
import { encodeRequest } from '../measure/http-request.ts';
import { sendOnce } from '../measure/load.ts';
import type { DirectusUser } from './directus-accounts.ts';
import { collection, columns } from './directus-database.ts';

type Asked = { port: number; request: Buffer };

type Row = Record<string, unknown> & { status: string };

const query = new URLSearchParams({
  limit: '50',
  sort: 'created_at,id',
  'filter[trashed_at][_null]': 'true',
  fields: columns.join(','),
});

/** What `GET /tasks` asks the service for, in Directus' words. */
export function pageRequest({ token }: DirectusUser): Buffer {
  return encodeRequest({ path: `/items/${collection}?${query}`, token });
}

/**
 * Throws unless both give the same tasks, member by member and in the same order. Directus writes the names of the
 * columns; what the service works out of a row is worked out here.
 */
export async function requireSamePage(ours: Asked, directus: Asked, signal: AbortSignal): Promise<void> {
  const [page, answer] = await Promise.all([ours, directus].map((asked) => readJson(asked, signal)));
  const { items } = page as { items: unknown[] };
  const { data } = answer as { data: Row[] };
  const same = data.map(toTask);
  if (items.length > 0 && isDeepStrictEqual(items, same)) return;
  const shown = [items, same].map((tasks) => JSON.stringify(tasks).slice(0, 600));
  throw new Error(`Directus answers otherwise:\n${shown.join('\n')}`);
}

async function readJson({ port, request }: Asked, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await sendOnce(port, request, signal);
  if (status !== 200) throw new Error(`the first request is answered with ${status}: ${String(body)}`);
  return JSON.parse(String(body));
}

function toTask(row: Row): Record<string, unknown> {
  const members = Object.entries(row).map(([name, value]) => [camelCase(name), value]);
  return { ...Object.fromEntries(members), inTrash: false, inLogbook: row.status !== 'open' };
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
