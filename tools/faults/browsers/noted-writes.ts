import type { Sql } from '#tests/support/connect-sql.ts';

/** Acknowledged writes, by the ids and timestamps in their responses. */
export class NotedWrites {
  /** `id updatedAt` of the returned rows. */
  readonly #changes = new Set<string>();
  readonly #deletions = new Set<string>();
  /** Timestamps of the transactions of undo. */
  readonly #stamps = new Set<string>();
  /** Number of responses to browsers by status. */
  readonly statuses = new Map<number, number>();
  acknowledged = 0;

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  note(method: string, path: string, status: number, body: unknown): void {
    if (method === 'GET' || status < 200 || status > 299 || path.endsWith('/rows')) return;
    this.acknowledged += 1;
    const id = path.split('/').at(-1) ?? '';
    if (method === 'DELETE') this.#deletions.add(id);
    if (typeof body !== 'object' || body === null) return;
    if ('id' in body && 'updatedAt' in body) this.#changes.add(`${body.id} ${body.updatedAt}`);
    if ('stamps' in body && Array.isArray(body.stamps))
      for (const stamp of body.stamps) this.#stamps.add(String(stamp));
  }

  /** A sentence for each acknowledged write that is missing in the database. */
  async findLost(sql: Sql, accountId: string): Promise<string[]> {
    // Notes that are rendered later get an entry of the feed alone.
    const entries = await sql<{ id: string; at: string; removes: boolean }>`
      select entity_id as id,
        to_char(entry.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        entry.change = 'deleted' or coalesce(before -> 'trashed_at' = 'null', false) as removes
      from tasks.feed_entry entry left join tasks.change_history using (account_id, sequence, entity_id)
      where account_id = ${accountId}`;
    const changes = new Set(entries.map(({ id, at }) => `${id} ${at}`));
    const deletions = new Set(entries.filter(({ removes }) => removes).map(({ id }) => id));
    const stamps = new Set(entries.map(({ at }) => at));
    const missing = (of: Set<string>, known: Set<string>, what: string) =>
      [...of.difference(known)].map((each) => `${what} was acknowledged and is not stored: ${each}`);
    return [
      ...missing(this.#changes, changes, 'a change'),
      ...missing(this.#deletions, deletions, 'a deletion'),
      ...missing(this.#stamps, stamps, 'an undo'),
    ];
  }
}

/**
 * How often each task was created, by its first title. Logged occurrences of repeating tasks do not count:
 * the service creates them.
 */
export async function countCreatedTasks(sql: Sql, accountId: string): Promise<Map<string, string[]>> {
  const rows = await sql<{ title: string; made: string[] }>`
    select coalesce(first.title, task.title) as title,
      array_agg(task.id || ' by ' || made.actor_name || ' at ' || made.changed_at) as made
    from tasks.task
      join tasks.change_history made
        on made.account_id = task.account_id and made.entity_id = task.id and made.change = 'created'
      left join lateral (
        select before ->> 'title' as title from tasks.change_history later
        where later.account_id = task.account_id and later.entity_id = task.id and later.before ? 'title'
        order by sequence limit 1) first on true
    where task.account_id = ${accountId} and not exists (
      select from tasks.change_history series
      where series.account_id = made.account_id and series.changed_at = made.changed_at
        and series.change = 'updated')
    group by 1`;
  return new Map(rows.map(({ title, made }) => [title, made]));
}
