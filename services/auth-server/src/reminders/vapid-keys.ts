import webPush from 'web-push';
import type { Queryable } from '#shared/database/database.ts';
import type { KeyCipher } from '../keys/signing-key.ts';

/** As `web-push` takes them: base64url. */
type VapidKeys = { publicKey: string; privateKey: string };

export type VapidKeySource = () => Promise<VapidKeys>;

const keyId = 'vapid';

/**
 * The key pair that identifies this installation to push services (RFC 8292). Created by the first process
 * that needs it, and stored for all. Throws KeySecretError.
 */
export function createVapidKeySource(db: Queryable, cipher: KeyCipher): VapidKeySource {
  let loaded: VapidKeys | undefined;
  return async () => {
    loaded ??= (await readKeys(db, cipher)) ?? (await makeKeys(db, cipher));
    return loaded;
  };
}

type VapidKeyRow = { publicKey: string; privateKeyEncrypted: Buffer };

async function readKeys(db: Queryable, cipher: KeyCipher): Promise<VapidKeys | undefined> {
  const { rows } = await db.query<VapidKeyRow>({
    text: `select public_key as "publicKey", private_key_encrypted as "privateKeyEncrypted"
      from auth.vapid_key`,
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    publicKey: row.publicKey,
    privateKey: cipher.decrypt(keyId, row.privateKeyEncrypted).toString('base64url'),
  };
}

async function makeKeys(db: Queryable, cipher: KeyCipher): Promise<VapidKeys> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await db.query({
    text: `insert into auth.vapid_key (key_id, public_key, private_key_encrypted) values (1, $1, $2)
      on conflict do nothing`,
    values: [publicKey, cipher.encrypt(keyId, Buffer.from(privateKey, 'base64url'))],
  });
  const stored = await readKeys(db, cipher);
  if (stored === undefined) throw new Error('the VAPID key could not be stored');
  return stored;
}
