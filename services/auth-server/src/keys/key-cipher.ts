import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps private keys unreadable in the database and in its backups. */
export type KeyCipher = {
  encrypt(keyId: string, plaintext: Buffer): Buffer;
  /** Throws KeySecretError when this is not what `encrypt` made of that key with this secret. */
  decrypt(keyId: string, sealed: Buffer): Buffer;
};

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

/** AES-256-GCM; what it makes is IV, tag and ciphertext. The key's id is bound in, so that rows can't be swapped. */
export function createKeyCipher(secret: string): KeyCipher {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'signing keys, AES-256-GCM', 32));
  return {
    encrypt(keyId, plaintext) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(keyId));
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(keyId, sealed) {
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
