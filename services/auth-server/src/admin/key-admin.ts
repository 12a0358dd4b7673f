import { createKeyCipher } from '../keys/key-cipher.ts';
import { type KeyRotation, rotateKeys } from '../keys/key-rotation.ts';
import { runAsOperator } from './operator-session.ts';

/** Throws KeySecretError when the secret is not the services' own. */
export function rotateSigningKeys(databaseUrl: string, keyEncryptionSecret: string): Promise<KeyRotation> {
  return runAsOperator(databaseUrl, ({ em }) => rotateKeys(em, createKeyCipher(keyEncryptionSecret)));
}
