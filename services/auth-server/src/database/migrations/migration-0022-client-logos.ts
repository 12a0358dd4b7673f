import { Migration } from '@mikro-orm/migrations';

/** What apps look like: small pictures that were re-encoded here, of clients that are connected. */
export class Migration0022ClientLogos extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  // client_id may also be the address of a metadata document, which has no row of its own.
  // unused_since: when a grant of the client last ended; null until then.
  `create table auth.client_logo (
     client_id text primary key,
     image bytea not null check (octet_length(image) between 1 and 65536),
     stored_at timestamptz(3) not null,
     unused_since timestamptz(3)
   )`,
  'create index client_logo_unused on auth.client_logo (unused_since) where unused_since is not null',
  'grant select, insert, update, delete on auth.client_logo to auth_server',
];
