import { Migration } from '@mikro-orm/migrations';

/** Where an account's reminders go, and which were sent. */
export class Migration0013Reminders extends Migration {
  override up(): void {
    for (const statement of [...timeFunctions, ...tables, ...digestTrigger, ...views, ...grants])
      this.addSql(statement);
  }
}

const timeFunctions = [
  // The service checks names against its own time zone database, which may be newer than PostgreSQL's.
  `create function auth.known_zone(zone text) returns text language plpgsql stable as $$
   begin
     perform now() at time zone zone;
     return zone;
   exception when invalid_parameter_value then
     return 'UTC';
   end $$`,
  // A time that the zone skips comes later by what is skipped; of one that comes twice this is the first (RFC
  // 5545, §3.3.5). PostgreSQL alone would take the second.
  `create function auth.civil_instant(day date, time_of_day text, zone text) returns timestamptz
     language plpgsql stable strict as $$
   declare
     wanted constant timestamp := day + time_of_day::time;
     known constant text := auth.known_zone(zone);
     later constant timestamptz := wanted at time zone known;
     day_before constant timestamptz := later - interval '1 day';
     first constant timestamptz :=
       (wanted - ((day_before at time zone known) - (day_before at time zone 'UTC'))) at time zone 'UTC';
   begin
     return case when first < later and first at time zone known = wanted then first else later end;
   end $$`,
  `create function auth.next_digest(digest_hour integer, zone text, after timestamptz) returns timestamptz
     language sql stable strict as $$
     select min(at) from generate_series(0, 2) days, lateral (
       select auth.civil_instant(
         (after at time zone auth.known_zone(zone))::date + days, digest_hour || ':00', zone) as at
     ) digest where at > after $$`,
];

const tables = [
  // The key pair that push services know this installation by (RFC 8292); the first process makes it.
  `create table auth.vapid_key (
     key_id integer primary key check (key_id = 1),
     public_key text not null,
     private_key_encrypted bytea not null
   )`,
  // Of a browser that is signed in: it ends with the session.
  `create table auth.push_subscription (
     id uuid primary key,
     account_id uuid not null references auth.account (id) on delete cascade,
     session_id uuid not null unique references auth.browser_session (id) on delete cascade,
     endpoint text not null unique,
     p256dh text not null,
     auth_secret text not null,
     created_at timestamptz(3) not null,
     last_sent_at timestamptz(3)
   )`,
  'create index push_subscription_by_account on auth.push_subscription (account_id)',
  `create table auth.reminder_settings (
     account_id uuid primary key references auth.account (id) on delete cascade,
     by_mail boolean not null,
     digest_hour integer check (digest_hour between 0 and 23),
     next_digest_at timestamptz(3),
     check ((digest_hour is null) = (next_digest_at is null))
   )`,
  'create index reminder_settings_by_digest on auth.reminder_settings (next_digest_at)',
  // Made before anything is sent, so that nothing is sent twice. `subject_id`: the task; of a digest, the
  // account. `civil_time`: `YYYY-MM-DD HH:mm`, of a digest the day.
  `create table auth.reminder_delivery (
     account_id uuid not null references auth.account (id) on delete cascade,
     subject_id uuid not null,
     civil_time text not null,
     claimed_at timestamptz(3) not null,
     outcome text,
     primary key (account_id, subject_id, civil_time)
   )`,
  'create index reminder_delivery_by_claim on auth.reminder_delivery (claimed_at)',
];

const digestTrigger = [
  `create function auth.move_digest() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   begin
     update auth.reminder_settings
     set next_digest_at = auth.next_digest(digest_hour, new.timezone, clock_timestamp())
     where account_id = new.id and digest_hour is not null;
     return null;
   end $$`,
  'revoke all on function auth.move_digest() from public',
  `create trigger digest_moved after update of timezone on auth.account for each row
     when (old.timezone is distinct from new.timezone) execute function auth.move_digest()`,
];

const views = [
  // Whether reminders of the account would reach anybody.
  `create view auth.reminder_channel_access as
     select account.id as account_id,
       exists (
         select from auth.push_subscription push join auth.browser_session session
           on session.id = push.session_id
         where push.account_id = account.id and session.expires_at > now()) as has_push,
       coalesce(settings.by_mail, false) as has_mail
     from auth.account account left join auth.reminder_settings settings on settings.account_id = account.id`,
];

const grants = [
  `grant execute on function auth.known_zone(text), auth.civil_instant(date, text, text),
     auth.next_digest(integer, text, timestamptz) to auth_server, resource_api`,
  'grant select, insert, delete on auth.vapid_key to auth_server',
  `grant select, insert, update, delete
     on auth.push_subscription, auth.reminder_settings, auth.reminder_delivery
     to auth_server`,
  'grant select on auth.reminder_channel_access to auth_server, resource_api',
];
