import type { AppReminderChannels } from '#shared/app/app-protocol.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';

export type ReminderSettings = {
  byMail: boolean;
  /** 0 to 23 in the account's time zone; null: no digest. */
  digestHour: number | null;
};

export async function readReminderSettings(
  { em }: Pick<Session, 'em'>,
  accountId: string,
): Promise<ReminderSettings> {
  const [found] = await query(em)<ReminderSettings>`select by_mail as "byMail", digest_hour as "digestHour"
    from auth.reminder_settings where account_id = ${accountId}`;
  return found ?? { byMail: false, digestHour: null };
}

/** The next digest is that of the next such hour. The same hour keeps it: it may be due and unclaimed. */
export async function saveReminderSettings(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  accountId: string,
  { byMail, digestHour }: ReminderSettings,
): Promise<void> {
  await query(em)`insert into auth.reminder_settings (account_id, by_mail, digest_hour, next_digest_at)
    select id, ${byMail}::boolean, ${digestHour}::integer,
      auth.next_digest(${digestHour}::integer, timezone, ${clock.now()})
    from auth.account where id = ${accountId}
    on conflict (account_id) do update set by_mail = excluded.by_mail, digest_hour = excluded.digest_hour,
      next_digest_at = case when reminder_settings.digest_hour = excluded.digest_hour
        then reminder_settings.next_digest_at else excluded.next_digest_at end`;
}

/** Turns mail of reminders and digests off; browsers still receive reminders. */
export async function stopReminderMail({ em }: Pick<Session, 'em'>, accountId: string): Promise<void> {
  await query(em)`update auth.reminder_settings set by_mail = false where account_id = ${accountId}`;
}

/** The channels that are turned on; the service may be unable to send mail. */
export async function readReminderChannels(
  { em }: Pick<Session, 'em'>,
  accountId: string,
): Promise<AppReminderChannels> {
  const [found] = await query(em)<AppReminderChannels>`select has_push as push, has_mail as mail
    from auth.reminder_channel_access where account_id = ${accountId}`;
  return found ?? { push: false, mail: false };
}
