import { Migration } from '@mikro-orm/migrations';

/**
 * Accounts, personal tokens and signing keys. The roles `auth_server` and `resource_api` exist before this
 * runs. The views are the whole of what resource-api may see: their columns are a contract between the two
 * services.
 */
export class Migration0001Accounts extends Migration {
  override up(): void {
    for (const statement of [...tables, ...views, ...grants]) this.addSql(statement);
  }
}

const tables = [
  // email_folded is folded by the service: lower() would depend on the locale of the database.
  `create table auth.account (
     id uuid primary key,
     email text not null,
     email_folded text not null unique,
     password_hash text not null,
     plan text not null check (plan in ('free', 'premium')),
     timezone text not null,
     status text not null check (status in ('active', 'suspended')),
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null
   )`,
  `create table auth.api_token (
     id uuid primary key,
     account_id uuid not null references auth.account (id),
     name text not null,
     scopes text[] not null check (scopes <> '{}' and scopes <@ '{read,write}'),
     token_hash bytea not null unique check (octet_length(token_hash) = 32),
     last_four text not null,
     expires_at timestamptz(3),
     revoked_at timestamptz(3),
     created_at timestamptz(3) not null
   )`,
  `create index api_token_by_account on auth.api_token (account_id, created_at, id)`,
  // token_lifetime_seconds: the longest life any replica gives to what it signs with the key.
  `create table auth.signing_key (
     key_id text primary key,
     state text not null check (state in ('next', 'current', 'retired')),
     public_jwk jsonb not null,
     private_key_encrypted bytea,
     token_lifetime_seconds integer not null,
     created_at timestamptz(3) not null,
     current_since timestamptz(3),
     retired_at timestamptz(3),
     check ((state = 'retired') = (retired_at is not null)),
     check ((state = 'retired') = (private_key_encrypted is null)),
     check ((state = 'next') = (current_since is null))
   )`,
  `create unique index signing_key_in_use on auth.signing_key (state) where state <> 'retired'`,
];

const views = [
  `create view auth.account_access as
     select id as account_id, plan, timezone, status from auth.account`,
  `create view auth.api_token_access as
     select token_hash, id as token_id, account_id, name, scopes, expires_at, revoked_at from auth.api_token`,
  // A minute beyond the last token's end covers tolerated clocks and replicas that notice a rotation late.
  `create view auth.signing_key_public as
     select key_id, public_jwk, state from auth.signing_key
     where state <> 'retired' or retired_at + make_interval(secs => token_lifetime_seconds + 60) > now()`,
];

const grants = [
  'grant usage on schema auth to auth_server, resource_api',
  'grant select, insert, update on auth.account, auth.api_token, auth.signing_key to auth_server',
  'grant select on auth.signing_key_public to auth_server',
  'grant select on auth.account_access, auth.api_token_access, auth.signing_key_public to resource_api',
];
