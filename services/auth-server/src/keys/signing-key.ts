import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPair,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';

export type EncryptedSigningKey = { keyId: string; publicJwk: JWK; privateKeyEncrypted: Buffer };

const generate = promisify(generateKeyPair);

/** Creates an ES256 key, named by its thumbprint (RFC 7638). */
export async function makeSigningKey(cipher: KeyCipher): Promise<EncryptedSigningKey> {
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
export function decryptPrivateKey(cipher: KeyCipher, keyId: string, privateKeyEncrypted: Buffer): KeyObject {
  return createPrivateKey({ key: cipher.decrypt(keyId, privateKeyEncrypted), type: 'pkcs8', format: 'der' });
}

export type KeyCipher = ReturnType<typeof createKeyCipher>;

export class KeySecretError extends Error {
  constructor() {
    super(
      'KEY_ENCRYPTION_SECRET is not the secret that the signing keys in the database were encrypted with',
    );
    this.name = 'KeySecretError';
  }
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts keys in the database and its backups. `use` derives the cipher's own (RFC 5869). AES-256-GCM: IV,
 * tag, ciphertext. The key's id is authenticated, so rows cannot be swapped.
 */
export function createKeyCipher(secret: string, use: 'signing keys' | 'authenticator apps' = 'signing keys') {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `${use}, AES-256-GCM`, 32));
  return {
    encrypt(keyId: string, plaintext: Buffer): Buffer {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(keyId));
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
    },
    /** Throws KeySecretError unless `encrypt` returned this for that key with this secret. */
    decrypt(keyId: string, sealed: Buffer): Buffer {
      const iv = sealed.subarray(0, ivBytes);
      const tag = sealed.subarray(ivBytes, ivBytes + tagBytes);
      const ciphertext = sealed.subarray(ivBytes + tagBytes);
      try {
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(keyId)).setAuthTag(tag);
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
      } catch {
        throw new KeySecretError();
      }
    },
  };
}
