import { type KeyReplacement, type KeyRotation, replaceKeys, rotateKeys } from '../keys/key-rotation.ts';
import { createKeyCipher } from '../keys/signing-key.ts';
import { runAsOperator } from './account-admin.ts';

/** Throws as `rotateKeys` does. */
export function rotateSigningKeys(
  databaseUrl: string,
  keyEncryptionSecret: string,
  isNow: boolean,
): Promise<KeyRotation> {
  return runAsOperator({ databaseUrl }, ({ em }) =>
    rotateKeys(em, createKeyCipher(keyEncryptionSecret), isNow),
  );
}

/** `keyEncryptionSecret`: the services' new secret. */
export function replaceSigningKeys(
  databaseUrl: string,
  keyEncryptionSecret: string,
): Promise<KeyReplacement> {
  return runAsOperator({ databaseUrl }, ({ em }) => replaceKeys(em, createKeyCipher(keyEncryptionSecret)));
}
