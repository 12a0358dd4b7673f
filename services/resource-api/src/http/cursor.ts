import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '#shared/database/database.ts';
import { invalidField } from '#shared/errors/errors.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';

/**
 * A position in a list: the account's date when its first page was read, and the sort key of the last row.
 */
type Cursor = { today: CalendarDate; key: readonly string[] };

export type CursorCodec = ReturnType<typeof createCursorCodec>;

/**
 * A page of the list that `list` names with its filters: the key that it begins after, and how the key of its
 * last row becomes its nextCursor. Its day is that of the first page, so that paging across midnight is
 * consistent. Throws validation_error on `cursor`.
 */
export function openPage(
  cursors: CursorCodec,
  { account, today }: { account: { id: string }; today: CalendarDate },
  list: readonly unknown[],
  cursor: string | undefined,
) {
  const scope = [account.id, ...list];
  const opened = cursor === undefined ? undefined : cursors.open(scope, cursor);
  const day = opened?.today ?? today;
  const seal = (key: readonly string[]): string => cursors.seal(scope, { today: day, key });
  return { today: day, after: opened?.key, seal };
}

const macBytes = 16;
const longestCursor = 512;

/**
 * Encodes and decodes cursors. The MAC covers the scope (account, endpoint and filters), so a cursor is valid
 * only for its list and cannot be forged.
 */
export function createCursorCodec(secret: () => Buffer) {
  const macOf = (scope: readonly unknown[], payload: Buffer): Buffer =>
    createHmac('sha256', secret())
      .update(JSON.stringify(scope))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, macBytes);

  return {
    seal(scope: readonly unknown[], { today, key }: Cursor): string {
      const payload = Buffer.from(JSON.stringify([today, ...key]));
      return Buffer.concat([macOf(scope, payload), payload]).toString('base64url');
    },
    /** Throws validation_error on `cursor` unless `seal` returned it for the same scope. */
    open(scope: readonly unknown[], text: string): Cursor {
      const bytes = Buffer.from(text.length <= longestCursor ? text : '', 'base64url');
      const mac = bytes.subarray(0, macBytes);
      const payload = bytes.subarray(macBytes);
      // Decoding ignores invalid characters; only the canonical encoding is accepted.
      const isCanonical = bytes.toString('base64url') === text;
      if (!isCanonical || mac.length !== macBytes || !timingSafeEqual(mac, macOf(scope, payload))) {
        throw invalidField('cursor', 'cursor must be a nextCursor of this very list');
      }
      const [today, ...key]: string[] = JSON.parse(payload.toString());
      return { today: today ?? '', key };
    },
  };
}

/** The key that signs cursors, the same for every replica. */
export function createCursorSecret(db: Queryable) {
  let secret: Buffer | undefined;
  return {
    /** Throws the database's errors, and an Error without a stored key. */
    async load(): Promise<void> {
      const { rows } = await db.query<{ secret: Buffer }>({ text: 'select secret from tasks.cursor_key' });
      const [row] = rows;
      if (row === undefined) throw new Error('the schema «tasks» holds no cursor key');
      secret = row.secret;
    },
    /** Throws an Error before `load`. */
    value(): Buffer {
      if (secret === undefined) throw new Error('the cursor key has not been loaded');
      return secret;
    },
  };
}
