import type { Session } from '../session.ts';
import type { Actor } from './actor.ts';

/** By whom, and not before when. */
export type ActorFilter = {
  /** Of one token, app or session. */
  actorId?: string | undefined;
  actorKind?: Actor['kind'] | undefined;
  /** Of apps and tokens with this name, or with this in their name where none has it. */
  actorName?: string | undefined;
  since?: Date | undefined;
};

/** Conditions on rows of `history`. */
export function actorConditions(
  { actorId, actorKind, actorName, since }: ActorFilter,
  bind: (value: unknown) => string,
): string[] {
  return [
    'history.actor_kind is not null',
    ...(actorId === undefined ? [] : [`history.actor_id = ${bind(actorId)}`]),
    ...(actorKind === undefined ? [] : [`history.actor_kind = ${bind(actorKind)}`]),
    ...(actorName === undefined ? [] : [hasName(bind(actorName))]),
    ...(since === undefined ? [] : [`history.changed_at >= ${bind(since)}`]),
  ];
}

/** «Claude» is not «Claude Code». `$1` is the account. */
const hasName = (name: string): string => `case
  when exists (select from tasks.change_history named
    where named.account_id = $1 and lower(named.actor_name) = lower(${name}))
  then lower(history.actor_name) = lower(${name})
  else strpos(lower(history.actor_name), lower(${name})) > 0 end`;

/**
 * The stamps of what was done, newest first, at most `limit`, and the name of who did it. With `isStanding` without what was
 * taken back, and without what took it back.
 */
export async function findStampsBy(
  { db, account }: Session,
  { isStanding = false, ...filter }: ActorFilter & { since: Date | undefined; isStanding?: boolean },
  limit: number,
): Promise<{ stamp: string; name: string }[]> {
  const values: unknown[] = [account.id];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const standing = () =>
    `not history.is_undone and (history.undo_of is null or history.undo_of < ${bind(filter.since)})`;
  const conditions = [
    'history.account_id = $1',
    ...actorConditions(filter, bind),
    ...(isStanding ? [standing()] : []),
  ];
  const { rows } = await db.query<{ stamp: string; name: string }>({
    text: `select distinct history.changed_at as stamp, history.actor_name as name from tasks.change_history history
      where ${conditions.join(' and ')} order by stamp desc limit ${bind(limit)}`,
    values,
  });
  return rows;
}

/** Whose change gave the record this stamp; undefined if the history no longer has it. */
export async function findActorOf(
  { db, account }: Session,
  { id, updatedAt }: { id: string; updatedAt: string },
): Promise<Actor | undefined> {
  const { rows } = await db.query<Actor>({
    text: `select actor_kind as kind, actor_id as id, actor_name as name from tasks.change_history
      where account_id = $1 and entity_id = $2 and changed_at = $3 and actor_kind is not null limit 1`,
    values: [account.id, id, updatedAt],
  });
  return rows[0];
}

/** Who has changed something, the last one first. */
export async function findActors({ db, account }: Session, limit: number): Promise<Actor[]> {
  const { rows } = await db.query<Actor>({
    text: `select actor_kind as kind, actor_id as id, actor_name as name from tasks.change_history
      where account_id = $1 and actor_kind is not null
      group by actor_kind, actor_id, actor_name order by max(sequence) desc limit $2`,
    values: [account.id, limit],
  });
  return rows;
}
