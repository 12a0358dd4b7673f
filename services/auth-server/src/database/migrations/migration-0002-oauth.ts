import { Migration } from '@mikro-orm/migrations';

/** OAuth clients, grants and tokens, signed-in browsers, and the record of who connected what. */
export class Migration0002Oauth extends Migration {
  override up(): void {
    for (const statement of [...clientTables, ...accountTables, ...views, ...grants]) this.addSql(statement);
  }
}

const clientTables = [
  // unused_since: when the client registered or a grant of it last ended, null when the last event was a new
  // grant. Clients that have no grant are removed some time after it.
  `create table auth.oauth_client (
     client_id text primary key,
     metadata jsonb not null,
     created_at timestamptz(3) not null,
     unused_since timestamptz(3)
   )`,
  `create index oauth_client_unused on auth.oauth_client (unused_since) where unused_since is not null`,
  // A connected app. client_id may also be the address of a metadata document, which has no row of its own.
  // last_used_at: null until the code was redeemed; until then expires_at lies just beyond the code's end.
  `create table auth.oauth_grant (
     id uuid primary key,
     account_id uuid not null references auth.account (id),
     client_id text not null,
     client_name text not null,
     scopes text[] not null check (scopes <> '{}' and scopes <@ '{read,write}'),
     created_at timestamptz(3) not null,
     last_used_at timestamptz(3),
     expires_at timestamptz(3) not null
   )`,
  `create index oauth_grant_by_account on auth.oauth_grant (account_id, created_at, id)`,
  `create index oauth_grant_by_client on auth.oauth_grant (client_id)`,
  `create index oauth_grant_by_end on auth.oauth_grant (expires_at)`,
  // Authorization codes and refresh tokens. Only hashes: what is stored can't be replayed.
  // payload is JSON as text: a client's own values may hold U+0000, which jsonb refuses.
  `create table auth.oauth_token (
     token_hash bytea primary key check (octet_length(token_hash) = 32),
     kind text not null check (kind in ('authorization_code', 'refresh_token')),
     grant_id uuid not null references auth.oauth_grant (id) on delete cascade,
     payload text not null,
     consumed_at timestamptz(3),
     expires_at timestamptz(3) not null
   )`,
  `create index oauth_token_by_grant on auth.oauth_token (grant_id)`,
  `create index oauth_token_by_end on auth.oauth_token (expires_at)`,
  // An authorization request that waits for its user.
  `create table auth.oauth_interaction (
     uid_hash bytea primary key check (octet_length(uid_hash) = 32),
     payload text not null,
     expires_at timestamptz(3) not null
   )`,
  `create index oauth_interaction_by_end on auth.oauth_interaction (expires_at)`,
  `create table auth.revoked_access_token (
     jti text primary key,
     expires_at timestamptz(3) not null
   )`,
  `create index revoked_access_token_by_end on auth.revoked_access_token (expires_at)`,
];

const accountTables = [
  // Counts the changes of the password: tokens exchanged before the last one no longer count.
  `alter table auth.account add column credential_version integer not null default 1`,
  `create table auth.browser_session (
     id uuid primary key,
     secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
     account_id uuid not null references auth.account (id),
     address text not null,
     user_agent text not null,
     created_at timestamptz(3) not null,
     last_seen_at timestamptz(3) not null,
     expires_at timestamptz(3) not null
   )`,
  `create index browser_session_by_account on auth.browser_session (account_id, created_at, id)`,
  `create index browser_session_by_end on auth.browser_session (expires_at)`,
  // subject: the token, app or session it is about, by its name then. address and user_agent: if known.
  `create table auth.audit_event (
     sequence bigint generated always as identity primary key,
     account_id uuid not null references auth.account (id),
     happened_at timestamptz(3) not null,
     event text not null,
     actor text not null check (actor in ('owner', 'app', 'operator', 'service')),
     subject_id uuid,
     subject_name text,
     address text,
     user_agent text
   )`,
  `create index audit_event_by_account on auth.audit_event (account_id, sequence desc)`,
  `create index audit_event_by_time on auth.audit_event (happened_at)`,
];

const views = [
  `create or replace view auth.account_access as
     select id as account_id, plan, timezone, status, credential_version from auth.account`,
  `create view auth.oauth_grant_access as
     select id as grant_id, account_id, client_id, client_name, scopes, expires_at from auth.oauth_grant`,
  `create view auth.revoked_access_token_access as select jti from auth.revoked_access_token`,
];

const grants = [
  `grant select, insert, update, delete on auth.oauth_client, auth.oauth_grant, auth.oauth_token,
     auth.oauth_interaction, auth.revoked_access_token, auth.browser_session to auth_server`,
  'grant select, insert, delete on auth.audit_event to auth_server',
  'grant select on auth.oauth_grant_access, auth.revoked_access_token_access to resource_api',
];
