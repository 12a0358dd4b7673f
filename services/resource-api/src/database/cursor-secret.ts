import type { EntityManager } from '@mikro-orm/postgresql';

/** The key that seals cursors, the same for every replica. Throws when the schema is not migrated. */
export async function readCursorSecret(em: EntityManager): Promise<Buffer> {
  const [row] = await em.fork().execute<{ secret: Buffer }[]>('select secret from tasks.cursor_key');
  if (row === undefined) throw new Error('the schema «tasks» holds no cursor key: run the migrations');
  return row.secret;
}
