import { Migration } from '@mikro-orm/migrations';

/** The answers to requests with an idempotency key, for as long as the key is good. */
export class Migration0003KeptAnswers extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create table tasks.kept_answer (
     account_id uuid not null,
     token_id uuid not null,
     key_hash bytea not null check (octet_length(key_hash) = 32),
     request_hash bytea not null check (octet_length(request_hash) = 32),
     status smallint not null,
     body text not null,
     kept_at timestamptz(3) not null,
     primary key (account_id, token_id, key_hash)
   )`,
  // For the sweep alone, which belongs to no account; no request uses it.
  'create index kept_answer_by_age on tasks.kept_answer (kept_at)',
  'grant select, insert, update, delete on tasks.kept_answer to resource_api',
];
