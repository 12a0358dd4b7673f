import type { Queryable } from '#shared/database/database.ts';

/** The key that seals cursors, the same for every replica. */
export type CursorSecret = {
  /** Throws what the database throws, and an Error when it holds no key. */
  load(): Promise<void>;
  /** Throws an Error until it is loaded. */
  value(): Buffer;
};

export function createCursorSecret(db: Queryable): CursorSecret {
  let secret: Buffer | undefined;
  return {
    async load() {
      const { rows } = await db.query<{ secret: Buffer }>({ text: 'select secret from tasks.cursor_key' });
      const [row] = rows;
      if (row === undefined) throw new Error('the schema «tasks» holds no cursor key');
      secret = row.secret;
    },
    value() {
      if (secret === undefined) throw new Error('the cursor key has not been loaded');
      return secret;
    },
  };
}
