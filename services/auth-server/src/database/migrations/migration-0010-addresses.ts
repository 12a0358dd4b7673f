import { Migration } from '@mikro-orm/migrations';

/** Addresses that are confirmed by mail, changed, and taken back. */
export class Migration0010Addresses extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  // Until expires_at no other account can have the address, and its owner can take it back.
  `create table auth.former_address (
     id uuid primary key,
     account_id uuid not null references auth.account (id) on delete cascade,
     email text not null,
     email_folded text not null,
     given_up_at timestamptz(3) not null,
     expires_at timestamptz(3) not null
   )`,
  'create index former_address_by_email on auth.former_address (email_folded)',
  'create index former_address_by_account on auth.former_address (account_id)',
  // What a link that was sent does, and to which address. Only the hashes of secrets are stored.
  `create table auth.mail_link (
     token_hash bytea primary key check (octet_length(token_hash) = 32),
     kind text not null,
     email text not null,
     account_id uuid references auth.account (id) on delete cascade,
     credential_version integer,
     former_address_id uuid references auth.former_address (id) on delete cascade,
     expires_at timestamptz(3) not null
   )`,
  'create index mail_link_by_account on auth.mail_link (account_id)',
  'create index mail_link_by_former_address on auth.mail_link (former_address_id)',
  // For the sweep alone.
  'create index mail_link_by_expiry on auth.mail_link (expires_at)',
  'create index former_address_by_expiry on auth.former_address (expires_at)',
  'grant select, insert, update, delete on auth.former_address, auth.mail_link to auth_server',
];
