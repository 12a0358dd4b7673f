import type { Queryable } from '#shared/database/database.ts';

/** The key that signs cursors, the same for every replica. */
export type CursorSecret = {
  /** Throws the database's errors, and an Error without a stored key. */
  load(): Promise<void>;
  /** Throws an Error before `load`. */
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
