import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import type { Clock } from '#shared/time/clock.ts';
import { accessTokenChecks, clockToleranceSeconds } from '#shared/tokens/access-token-claims.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';

export type IssuedAccessToken = { jti: string; clientId: string; expiresAt: Date };

export type AccessTokenReader = { read(token: string): Promise<IssuedAccessToken | undefined> };

/** Reads an access token that this service has signed and that still counts; undefined for anything else. */
export function createAccessTokenReader(options: {
  baseUrl: string;
  clock: Clock;
  keys: SigningKeys;
}): AccessTokenReader {
  const { baseUrl, clock, keys } = options;
  return {
    async read(token) {
      const published = createLocalJWKSet({ keys: await keys.published() });
      try {
        const { payload } = await jwtVerify(token, published, accessTokenChecks(baseUrl, clock.now()));
        const expiresAt = new Date((Number(payload.exp) + 2 * clockToleranceSeconds) * 1_000);
        return { jti: String(payload.jti), clientId: String(payload.client_id), expiresAt };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
