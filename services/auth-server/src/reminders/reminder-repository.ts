import type { Queryable } from '#shared/database/database.ts';
import type { ReminderKey } from '#shared/jobs/reminder-job.ts';
import type { PushTarget } from './push-endpoint.ts';

export type PushSubscription = PushTarget & { id: string };

/** `date`: the day on which the task is planned or due. */
type DigestTask = { id: string; title: string; time: string | null; date: string };

export type DueReminder = ReminderKey & {
  email: string;
  timezone: string;
  byMail: boolean;
  subscriptions: PushSubscription[];
} & (
    | { kind: 'task'; title: string; dueDate: string; time: string }
    | { kind: 'digest'; count: number; tasks: DigestTask[] }
  );

/*
 * Statements of reminder jobs are unnamed and find rows by key: a plan cached while the tables were small
 * would scan them for each job when a busy minute has filled them.
 */

const askedRows = `jsonb_to_recordset($1::jsonb)
  asked ("accountId" uuid, "subjectId" uuid, "civilTime" text, "remindAt" text)`;

/** Claims the `keys` that no other job has claimed, and returns them: only the claiming job sends them. */
export function claimStatement(keys: readonly ReminderKey[], now: Date) {
  return {
    text: `with asked as (select * from ${askedRows}), claimed as (
        insert into auth.reminder_delivery (account_id, subject_id, civil_time, claimed_at)
        select asked."accountId", asked."subjectId", asked."civilTime", $2 from asked
        join lateral (select from auth.account where id = asked."accountId" limit 1) account on true
        on conflict do nothing
        returning account_id, subject_id, civil_time
      )
      select asked."accountId", asked."subjectId", asked."civilTime", asked."remindAt" from asked
      join claimed on claimed.account_id = asked."accountId" and claimed.subject_id = asked."subjectId"
        and claimed.civil_time = asked."civilTime"`,
    values: [JSON.stringify(keys), now],
  };
}

/**
 * Returns the `keys` that are still due: the task is open, not trashed and planned for that time; or the
 * digest has content. Excludes accounts that are locked or to be deleted.
 */
export async function readDueReminders(
  db: Queryable,
  keys: readonly ReminderKey[],
  now: Date,
): Promise<DueReminder[]> {
  const { rows } = await db.query<DueReminder>({
    text: `select asked."accountId", asked."subjectId", asked."civilTime", asked."remindAt",
        account.email, account.timezone,
        coalesce(settings.by_mail, false) as "byMail",
        case when task.task_id is null then 'digest' else 'task' end as kind,
        task.title, task.due_date as "dueDate", task.reminder_time as time, digest.count, digest.tasks,
        coalesce((
          select jsonb_agg(jsonb_build_object('id', push.id, 'endpoint', push.endpoint, 'p256dh', push.p256dh,
            'authSecret', push.auth_secret))
          from auth.push_subscription push join auth.browser_session session on session.id = push.session_id
          where push.account_id = account.id and session.expires_at > $2
        ), '[]') as subscriptions
      from ${askedRows}
      join lateral (
        select id, email, timezone from auth.account where id = asked."accountId" and locked_at is null
          and not exists (select from auth.account_erasure where account_id = asked."accountId") limit 1
      ) account on true
      left join auth.reminder_settings settings on settings.account_id = account.id
      left join lateral (
        select task_id, title, due_date, reminder_time from tasks.open_task_access open_task
        where open_task.account_id = asked."accountId" and open_task.task_id = asked."subjectId"
          and due_date || ' ' || reminder_time = asked."civilTime" limit 1
      ) task on true
      left join lateral (
        select count(*)::integer as count,
          to_jsonb((array_agg(jsonb_build_object('id', task_id, 'title', title, 'time', reminder_time,
          'date', view_date)
            order by view_date, created_at))[1:20]) as tasks
        from tasks.open_task_access today
        where today.account_id = account.id
          and asked."subjectId" = account.id and view_date <= left(asked."civilTime", 10)::date
      ) digest on asked."subjectId" = account.id and settings.digest_hour is not null
      where task.task_id is not null or digest.count > 0`,
    values: [JSON.stringify(keys), now],
  });
  return rows;
}

/** `gone`: subscriptions that the push service no longer has. */
export async function noteSubscriptions(
  db: Queryable,
  { sent, gone }: { sent: readonly string[]; gone: readonly string[] },
  now: Date,
): Promise<void> {
  if (gone.length > 0)
    await db.query({ text: 'delete from auth.push_subscription where id = any($1)', values: [gone] });
  if (sent.length === 0) return;
  await db.query({
    text: 'update auth.push_subscription set last_sent_at = $2 where id = any($1)',
    values: [sent, now],
  });
}

/**
 * Advances each due digest to its next day. Only one replica gets each digest. After missed days only the
 * last digest is sent; a digest's day starts at its hour.
 */
export function claimDigests(now: Date, limit: number) {
  return {
    name: 'claim-digests',
    text: `with due as materialized (
        select account_id, next_digest_at from auth.reminder_settings where next_digest_at <= $1
        order by next_digest_at limit $2 for update skip locked
      )
      update auth.reminder_settings settings
      set next_digest_at = auth.next_digest(settings.digest_hour, account.timezone, $1)
      from due join auth.account account on account.id = due.account_id
      where settings.account_id = due.account_id
      returning due.account_id as "accountId", due.account_id as "subjectId",
        to_json(due.next_digest_at) #>> '{}' as "remindAt",
        ($1 at time zone auth.known_zone(account.timezone)
          - make_interval(hours => settings.digest_hour))::date::text as "civilTime"`,
    values: [now, limit],
  };
}
