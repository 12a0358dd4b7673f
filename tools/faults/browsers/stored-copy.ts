import type { Page } from 'playwright-core';
import {
  type AppRowsResponse,
  type AppSessionToken,
  type AppSnapshot,
  appApiPath,
  appSessionPath,
} from '#shared/app/app-protocol.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import type { OpenStore } from '#web-app/store/create-store.ts';
import { isPutBack, type OutboxRecord } from '#web-app/store/outbox-record.ts';
import type { Session } from './session.ts';

type StoredRow = { id: string; updatedAt: string };
export type StoredCopy = {
  rows: Record<(typeof tables)[number], StoredRow[]>;
  /** Descriptions of unsent records. */
  waiting: string[];
  /** Titles of refused tasks, which the app shows to the user with their text. */
  refused: string[];
};

const tables = ['tasks', 'projects', 'sections', 'areas'] as const;
const stores = [...tables, 'records'] as const;

/** Reads the browser's IndexedDB. */
export async function readStoredCopy(page: Page | undefined, accountId: string): Promise<StoredCopy> {
  if (page === undefined) throw new Error('no tab is open');
  const { records, ...rows } = await page.evaluate<
    StoredCopy['rows'] & { records: OutboxRecord[] }
  >(`new Promise((resolve, reject) => {
    const opening = indexedDB.open(${JSON.stringify(`tasks-${accountId}`)});
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const stores = ${JSON.stringify(stores)};
      const found = {};
      const work = opening.result.transaction(stores);
      for (const name of stores)
        work.objectStore(name).getAll().onsuccess = ({ target }) => { found[name] = target.result; };
      work.oncomplete = () => { opening.result.close(); resolve(found); };
      work.onabort = () => reject(work.error);
    };
  })`);
  const [putBack, sending] = [records.filter(isPutBack), records.filter((record) => !isPutBack(record))];
  return {
    rows,
    waiting: sending.map(({ method, path, hold }) => `${method} ${path} ${hold ?? ''}`),
    refused: putBack.filter(({ creates }) => creates).map(({ title }) => title),
  };
}

/** The server's rows in a store without a page. */
export function copyOfStore({ rows }: OpenStore): StoredCopy['rows'] {
  return {
    tasks: [...rows.tasks.server.values()],
    projects: [...rows.projects.server.values()],
    sections: [...rows.sections.server.values()],
    areas: [...rows.areas.server.values()],
  };
}

/** The account's rows as the service returns them, and their versions in the database. */
type StoredAccountRows = { rows: StoredCopy['rows']; versions: Set<string> };

export async function readAccountRows(
  sql: Sql,
  accountId: string,
  session: Session,
): Promise<StoredAccountRows> {
  const ask = await openApp(session);
  const stored = await sql<{ entity: string; id: string; at: string }>`
    select entity, id, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from (
      select 'tasks' as entity, id, account_id, updated_at from tasks.task
      union all select 'projects', id, account_id, updated_at from tasks.project
      union all select 'sections', id, account_id, updated_at from tasks.section
      union all select 'areas', id, account_id, updated_at from tasks.area) every
    where account_id = ${accountId}`;
  const wanted = stored
    .filter(({ entity }) => entity === 'tasks' || entity === 'projects')
    .map(({ id }) => id);
  const rows: StoredCopy['rows'] = { tasks: [], projects: [], sections: [], areas: [] };
  for (let missing = wanted; missing.length > 0; ) {
    const body = JSON.stringify({ ids: missing.slice(0, 200) });
    const { tasks, projects, notSent } = await ask<AppRowsResponse>('/rows', { method: 'POST', body });
    rows.tasks.push(...tasks);
    rows.projects.push(...projects);
    missing = [...notSent, ...missing.slice(200)];
  }
  const snapshot = await ask<AppSnapshot>('/snapshot');
  rows.sections = snapshot.sections;
  rows.areas = snapshot.areas;
  return { rows, versions: new Set(stored.map(({ entity, id, at }) => `${entity} ${id} ${at}`)) };
}

/** A client of the app's own operations. */
async function openApp({
  reach,
}: Session): Promise<<Body>(path: string, init?: RequestInit) => Promise<Body>> {
  const read = async <Body>(response: Response): Promise<Body> => {
    if (!response.ok) throw new Error(`${response.url} was answered with ${response.status}`);
    return (await response.json()) as Body;
  };
  const asked = await reach(`${appSessionPath}/token`, { method: 'POST', body: '{}' });
  const { accessToken } = await read<AppSessionToken>(asked);
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  return async (path, init) => read(await reach(appApiPath + path, { ...init, headers }));
}

/**
 * A sentence for each row that is missing, extra or different in the copy. Rows in the Trash may be present.
 */
export function compareCopy(copy: StoredCopy['rows'], { rows, versions }: StoredAccountRows): string[] {
  const versionsOf = (of: StoredCopy['rows']) =>
    new Set(
      tables.flatMap((entity) => of[entity].map(({ id, updatedAt }) => `${entity} ${id} ${updatedAt}`)),
    );
  const held = versionsOf(copy);
  const trashed = versionsOf({
    ...rows,
    tasks: rows.tasks.filter(isInTrash),
    projects: [],
    sections: [],
    areas: [],
  });
  const missing = [...versions.difference(held).difference(trashed)].map((version) => `not held: ${version}`);
  const surplus = [...held.difference(versions)].map((version) => `held, not stored: ${version}`);
  return [
    ...missing,
    ...surplus,
    ...tables.flatMap((entity) => compareRows(entity, copy[entity], rows[entity])),
  ];
}

function isInTrash(row: StoredRow): boolean {
  return 'inTrash' in row && row.inTrash === true;
}

/** Texts are present for opened tasks and those of this week; only up-to-date ones are compared. */
function compareRows(entity: string, held: readonly StoredRow[], stored: readonly StoredRow[]): string[] {
  const byId = new Map(held.map((row) => [row.id, row]));
  return stored.flatMap((row) => {
    const own = byId.get(row.id);
    // Reported above as missing.
    if (own === undefined) return [];
    const present = new Map<string, unknown>(Object.entries(own));
    const hasTexts = entity !== 'tasks' || present.get('textsAt') === row.updatedAt;
    return Object.entries(row)
      .filter(([field]) => hasTexts || !['description', 'descriptionHtml', 'checklist'].includes(field))
      .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(present.get(field)))
      .map(
        ([field, value]) =>
          `${entity} ${row.id} ${field}: ` +
          `${JSON.stringify(present.get(field))} held, ${JSON.stringify(value)} stored`,
      );
  });
}
