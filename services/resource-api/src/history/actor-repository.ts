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
 * The stamps of what was done, at most `limit`, and the name of who did it; those that are standing first, newest first.
 * What was taken back stands no more, nor does what took it back if it is one of them.
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
