import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { KeyCipher } from './key-cipher.ts';

/** A key as it is kept: the private part for this service's eyes only. */
export type SealedSigningKey = { keyId: string; publicJwk: JWK; privateKeyEncrypted: Buffer };

const generate = promisify(generateKeyPair);

/** A new ES256 key, named by its thumbprint (RFC 7638). */
export async function makeSigningKey(cipher: KeyCipher): Promise<SealedSigningKey> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const keyId = await calculateJwkThumbprint({ kty, crv, x, y });
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    keyId,
    publicJwk: { kty, crv, x, y, kid: keyId, alg: accessTokenAlgorithm, use: 'sig' },
    privateKeyEncrypted: cipher.encrypt(keyId, pkcs8),
  };
}

/** Throws KeySecretError. */
export function openPrivateKey(cipher: KeyCipher, keyId: string, privateKeyEncrypted: Buffer): KeyObject {
  return createPrivateKey({ key: cipher.decrypt(keyId, privateKeyEncrypted), type: 'pkcs8', format: 'der' });
}
