import path from 'node:path';
import { createEnvReader, type Environment, type EnvReader } from '#shared/config/read-env.ts';
import {
  readKeyEncryptionSecret,
  readRevocationWait,
  readServiceEnv,
  urlOf,
} from '#shared/config/service-env.ts';
import { plans } from '#shared/plans.ts';
import { apiLimits } from '#shared/rate-limit/api-limits.ts';
import { longestLifetimeSeconds } from '#shared/tokens/access-token-claims.ts';
import type { MailSettings } from '../mail/mail-transport.ts';

const daySeconds = 86_400;
const yearSeconds = 366 * daySeconds;
const builtInImage = path.join(import.meta.dirname, '../../../../dist/app');

export type Config = ReturnType<typeof readConfig>;

/** Throws a ConfigError that lists every configuration error. */
export function readConfig(env: Environment) {
  const reader = createEnvReader(env);
  const config = {
    ...readServiceEnv(reader),
    keyEncryptionSecret: readKeyEncryptionSecret(reader),
    revocationWaitsAlways: readRevocationWait(reader),
    signUp: reader.choice('SIGN_UP', ['open', 'closed'], 'open'),
    secondFactor: reader.choice('SECOND_FACTOR', ['optional', 'required'], 'optional'),
    planContact: reader.optional('PLAN_CONTACT', checkContact),
    signUpPlan: reader.choice('SIGN_UP_PLAN', plans, 'free'),
    /** Whether a client that registers as confidential is refused or registered as public. */
    dcrConfidential: reader.choice('DCR_CONFIDENTIAL', ['coerce', 'reject'], 'coerce'),
    /** Where `services/web-app/build.ts` has put the app. */
    webAppDirectory: path.resolve(reader.text('WEB_APP_DIRECTORY', { fallback: builtInImage })),
    mail: readMail(reader),
    /** Push services besides the browsers'; their addresses may be private. */
    pushServiceHosts: reader.list('PUSH_SERVICE_HOSTS', hostOnly),
    ...readLifetimes(reader),
    ...readLimits(reader),
  };
  reader.finish();
  return config;
}

/** undefined: no mail is sent. */
function readMail(reader: EnvReader): MailSettings | undefined {
  const url = reader.optional('SMTP_URL', urlOf('smtp:', 'smtps:'));
  const directory = reader.optional('MAIL_DIRECTORY', () => undefined);
  const fallback = url === undefined ? { fallback: 'Tasks <tasks@localhost>' } : {};
  const from = reader.text('MAIL_FROM', { ...fallback, check: checkSender });
  if (url !== undefined) return { kind: 'smtp', url, from };
  return directory === undefined
    ? undefined
    : { kind: 'directory', directory: path.resolve(directory), from };
}

function hostOnly(value: string): string | undefined {
  return URL.parse(`https://${value}`)?.host === value.toLowerCase()
    ? undefined
    : 'must be a host, with its port unless that is 443, such as push.example.com';
}

function checkContact(value: string): string | undefined {
  const isAddress = /^[^\s<>@]+@[^\s<>@]+$/.test(value);
  const isPage = value.startsWith('https://') && URL.canParse(value);
  return isAddress || isPage ? undefined : 'must be an e-mail address or an https URL';
}

function checkSender(value: string): string | undefined {
  const isAddress = /^([^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value);
  return isAddress ? undefined : 'must be an address, such as Tasks <tasks@example.com>';
}

function readLifetimes(reader: EnvReader) {
  const integer = (name: string, fallback: number, min: number, max: number): number =>
    reader.integer(name, { fallback, min, max });
  return {
    accessTokenTtlSeconds: integer('ACCESS_TOKEN_TTL_SECONDS', 600, 1, longestLifetimeSeconds),
    authorizationCodeTtlSeconds: integer('AUTHORIZATION_CODE_TTL_SECONDS', 60, 1, 600),
    /** Counted from each refresh. */
    refreshTokenTtlSeconds: integer('REFRESH_TOKEN_TTL_SECONDS', 30 * daySeconds, 60, yearSeconds),
    /** A used refresh token is accepted again for this long; 0: never. */
    refreshReuseGraceSeconds: integer('REFRESH_REUSE_GRACE_SECONDS', 30, 0, 600),
    grantTtlSeconds: integer('GRANT_TTL_SECONDS', 365 * daySeconds, 60, 10 * yearSeconds),
    /** Counted from the last visit; limited by `browserSessionMaximumSeconds` after the sign-in. */
    browserSessionTtlSeconds: integer('BROWSER_SESSION_TTL_SECONDS', 14 * daySeconds, 60, yearSeconds),
    browserSessionMaximumSeconds: integer(
      'BROWSER_SESSION_MAXIMUM_SECONDS',
      90 * daySeconds,
      60,
      yearSeconds,
    ),
    /** From the request for deletion to the erasure. */
    accountDeletionDays: readAccountDeletionDays(reader),
    auditRetentionSeconds: daySeconds * integer('AUDIT_RETENTION_DAYS', 400, 1, 3_660),
  };
}

/** Also read by the operator's command. */
export function readAccountDeletionDays(reader: EnvReader): number {
  return reader.integer('ACCOUNT_DELETION_DAYS', { fallback: 14, min: 0, max: 365 });
}

function readLimits(reader: EnvReader) {
  const limit = (name: string, fallback: number): number =>
    reader.integer(name, { fallback, min: 1, max: 1_000_000 });
  return {
    ...apiLimits,
    registrationsPerAddressPerHour: limit('REGISTRATIONS_PER_ADDRESS_PER_HOUR', 60),
    tokenRequestsPerAddressPerMinute: limit('TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE', 300),
    /** Authorization requests and pages. */
    pagesPerAddressPerMinute: limit('PAGES_PER_ADDRESS_PER_MINUTE', 120),
    appTokensPerSessionPerMinute: 30,
    signUpsPerAddressPerHour: limit('SIGN_UPS_PER_ADDRESS_PER_HOUR', 20),
    passwordResetsPerAccountPerHour: limit('PASSWORD_RESETS_PER_ACCOUNT_PER_HOUR', 5),
    /** Confirmation messages per address, and per account. */
    addressLinksPerHour: 5,
    /** Both limits are per 15 minutes. */
    signInFailuresPerAccount: limit('SIGN_IN_FAILURES_PER_ACCOUNT', 10),
    signInFailuresPerAddress: limit('SIGN_IN_FAILURES_PER_ADDRESS', 50),
  };
}
