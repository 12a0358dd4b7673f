import { type KeyReplacement, type KeyRotation, replaceKeys, rotateKeys } from '../keys/key-rotation.ts';
import { createKeyCipher } from '../keys/signing-key.ts';
import { runAsOperator } from './account-admin.ts';

/** Throws KeySecretError when the secret is not the services' own. */
export function rotateSigningKeys(databaseUrl: string, keyEncryptionSecret: string): Promise<KeyRotation> {
  return runAsOperator({ databaseUrl }, ({ em }) => rotateKeys(em, createKeyCipher(keyEncryptionSecret)));
}

/** `keyEncryptionSecret`: the one that the services have from now on. */
export function replaceSigningKeys(
  databaseUrl: string,
  keyEncryptionSecret: string,
): Promise<KeyReplacement> {
  return runAsOperator({ databaseUrl }, ({ em }) => replaceKeys(em, createKeyCipher(keyEncryptionSecret)));
}
