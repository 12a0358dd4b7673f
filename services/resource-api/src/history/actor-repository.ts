import type { Session } from '../session.ts';
import type { Actor } from './actor.ts';

/** Selects changes by actor and earliest time. */
export type ActorFilter = {
  /** Id of a token, app or session. */
  actorId?: string | undefined;
  actorKinds?: readonly Actor['kind'][] | undefined;
  /** Apps and tokens with this name or, if there are none, with names that contain it. */
  actorName?: string | undefined;
  since?: Date | undefined;
};

/** Conditions on rows of `history`. */
export function actorConditions(
  { actorId, actorKinds, actorName, since }: ActorFilter,
  bind: (value: unknown) => string,
): string[] {
  return [
    'history.actor_kind is not null',
    ...(actorId === undefined ? [] : [`history.actor_id = ${bind(actorId)}`]),
    ...(actorKinds === undefined ? [] : [`history.actor_kind = any(${bind(actorKinds)})`]),
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
 * At most `limit` stamps of changes and their actors' names; those in effect first, newest first. Undone
 * changes are not in effect, nor are undos by the same actors.
 */
export async function findStampsBy(
  { db, account }: Session,
  filter: ActorFilter,
  limit: number,
): Promise<{ stamp: string; name: string; isStanding: boolean }[]> {
  const values: unknown[] = [account.id];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['history.account_id = $1', ...actorConditions(filter, bind)];
  const { rows } = await db.query<{ stamp: string; name: string; isStanding: boolean }>({
    text: `with done as (select changed_at, actor_name, is_undone, is_redo, undo_of
        from tasks.change_history history where ${conditions.join(' and ')})
      select changed_at as stamp, actor_name as name, bool_or(not is_undone and
          (undo_of is null or is_redo or undo_of not in (select changed_at from done))) as "isStanding"
      from done group by changed_at, actor_name order by "isStanding" desc, stamp desc limit ${bind(limit)}`,
    values,
  });
  return rows;
}

/** The actor of the change with this timestamp of the record; undefined if the history no longer has it. */
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

/** Actors that have changed something, the latest first. */
export async function findActors({ db, account }: Session, limit: number): Promise<Actor[]> {
  const { rows } = await db.query<Actor>({
    text: `select actor_kind as kind, actor_id as id, actor_name as name from tasks.change_history
      where account_id = $1 and actor_kind is not null
      group by actor_kind, actor_id, actor_name order by max(sequence) desc limit $2`,
    values: [account.id, limit],
  });
  return rows;
}
