import { createEnvReader, type Environment, type EnvReader } from '#shared/config/read-env.ts';
import { readServiceEnv, type ServiceEnv } from '#shared/config/service-env.ts';
import { longestLifetimeSeconds } from '#shared/tokens/access-token-claims.ts';
import { codePointLength } from '#shared/validation/text-rules.ts';

const daySeconds = 86_400;
const yearSeconds = 366 * daySeconds;

export type Config = ServiceEnv &
  Lifetimes &
  Limits & {
    keyEncryptionSecret: string;
    /** Whether anybody may make an account at /sign-up. */
    signUp: 'open' | 'closed';
    /** What a client that registers with a secret's method gets: it is made public, or refused. */
    dcrConfidential: 'coerce' | 'reject';
  };

/** All in seconds. */
export type Lifetimes = {
  accessTokenTtlSeconds: number;
  authorizationCodeTtlSeconds: number;
  /** From each refresh on. */
  refreshTokenTtlSeconds: number;
  /** How long a refresh token that was used still counts; 0: not at all. */
  refreshReuseGraceSeconds: number;
  grantTtlSeconds: number;
  /** From the last visit on. */
  browserSessionTtlSeconds: number;
  auditRetentionSeconds: number;
};

export type Limits = {
  requestsPerTokenPerMinute: number;
  requestsPerAddressPerMinute: number;
  registrationsPerAddressPerHour: number;
  tokenRequestsPerAddressPerMinute: number;
  /** Authorization requests and pages. */
  pagesPerAddressPerMinute: number;
  signUpsPerAddressPerHour: number;
  /** In 15 minutes. */
  signInFailuresPerAccount: number;
  signInFailuresPerAddress: number;
};

/** Throws a ConfigError that lists every fault. */
export function readConfig(env: Environment): Config {
  const reader = createEnvReader(env);
  const config = {
    ...readServiceEnv(reader),
    keyEncryptionSecret: reader.text('KEY_ENCRYPTION_SECRET', { check: checkKeyEncryptionSecret }),
    signUp: reader.choice('SIGN_UP', ['open', 'closed'], 'open'),
    dcrConfidential: reader.choice('DCR_CONFIDENTIAL', ['coerce', 'reject'], 'coerce'),
    ...readLifetimes(reader),
    ...readLimits(reader),
  };
  reader.finish();
  return config;
}

function readLifetimes(reader: EnvReader): Lifetimes {
  const seconds = (name: string, fallback: number, min: number, max: number): number =>
    reader.integer(name, { fallback, min, max });
  return {
    accessTokenTtlSeconds: seconds('ACCESS_TOKEN_TTL_SECONDS', 600, 1, longestLifetimeSeconds),
    authorizationCodeTtlSeconds: seconds('AUTHORIZATION_CODE_TTL_SECONDS', 60, 1, 600),
    refreshTokenTtlSeconds: seconds('REFRESH_TOKEN_TTL_SECONDS', 30 * daySeconds, 60, yearSeconds),
    refreshReuseGraceSeconds: seconds('REFRESH_REUSE_GRACE_SECONDS', 30, 0, 600),
    grantTtlSeconds: seconds('GRANT_TTL_SECONDS', 365 * daySeconds, 60, 10 * yearSeconds),
    browserSessionTtlSeconds: seconds('BROWSER_SESSION_TTL_SECONDS', 14 * daySeconds, 60, yearSeconds),
    auditRetentionSeconds:
      daySeconds * reader.integer('AUDIT_RETENTION_DAYS', { fallback: 400, min: 1, max: 3_660 }),
  };
}

function readLimits(reader: EnvReader): Limits {
  const limit = (name: string, fallback: number): number =>
    reader.integer(name, { fallback, min: 1, max: 1_000_000 });
  return {
    requestsPerTokenPerMinute: 120,
    requestsPerAddressPerMinute: 600,
    registrationsPerAddressPerHour: limit('REGISTRATIONS_PER_ADDRESS_PER_HOUR', 60),
    tokenRequestsPerAddressPerMinute: limit('TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE', 300),
    pagesPerAddressPerMinute: limit('PAGES_PER_ADDRESS_PER_MINUTE', 120),
    signUpsPerAddressPerHour: limit('SIGN_UPS_PER_ADDRESS_PER_HOUR', 20),
    signInFailuresPerAccount: limit('SIGN_IN_FAILURES_PER_ACCOUNT', 10),
    signInFailuresPerAddress: limit('SIGN_IN_FAILURES_PER_ADDRESS', 50),
  };
}

function checkKeyEncryptionSecret(secret: string): string | undefined {
  return codePointLength(secret) < 32 ? 'must have at least 32 characters' : undefined;
}
