import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { CurrentKey } from '../keys/signing-keys.ts';
import { ExternalSigningKey } from './oidc-provider.ts';

/**
 * The key as the package is to use it. An ES256 signature takes less time than to hand it to another thread and back,
 * which is how the package signs with a key that it holds itself.
 */
export class ProviderSigningKey extends ExternalSigningKey {
  readonly #key: CurrentKey;

  constructor(key: CurrentKey) {
    super();
    this.#key = key;
  }

  override get kid(): string {
    return this.#key.keyId;
  }

  override get alg(): string {
    return accessTokenAlgorithm;
  }

  override keyObject(): KeyObject {
    return createPublicKey(this.#key.privateKey);
  }

  /** The signature's two numbers one after the other (RFC 7518 §3.4). */
  override sign(data: Uint8Array): Uint8Array {
    return sign('sha256', data, { key: this.#key.privateKey, dsaEncoding: 'ieee-p1363' });
  }
}
