import { Migration } from '@mikro-orm/migrations';

/** Passkeys, authenticator apps and recovery codes: what proves who signs in, beside the password. */
export class Migration0019SecondFactors extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create table auth.passkey (
     id uuid primary key,
     account_id uuid not null references auth.account (id) on delete cascade,
     credential_id text not null unique,
     public_key bytea not null,
     sign_count bigint not null,
     transports text[] not null,
     name text not null,
     created_at timestamptz(3) not null,
     last_used_at timestamptz(3)
   )`,
  'create index passkey_by_account on auth.passkey (account_id)',
  // last_step: the time step of the last code that was accepted (RFC 6238 §5.2: each counts once).
  `create table auth.authenticator_app (
     account_id uuid primary key references auth.account (id) on delete cascade,
     secret_encrypted bytea not null,
     last_step bigint not null,
     created_at timestamptz(3) not null
   )`,
  // look_up: the code's first characters; only the rest is secret, and stored as its hash.
  `create table auth.recovery_code (
     account_id uuid not null references auth.account (id) on delete cascade,
     look_up text not null,
     code_hash text not null,
     primary key (account_id, look_up)
   )`,
  `create table auth.used_challenge (
     challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
     expires_at timestamptz(3) not null
   )`,
  'create index used_challenge_by_expiry on auth.used_challenge (expires_at)',
  `grant select, insert, update, delete on auth.passkey, auth.authenticator_app, auth.recovery_code,
     auth.used_challenge to auth_server`,
];
