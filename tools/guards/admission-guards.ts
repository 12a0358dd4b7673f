import type { Guard } from './guard.ts';

const tokenCache = 'services/resource-api/src/auth/token-cache.ts';
const revoker = 'shared/admission/revoker.ts';
const changes = 'services/resource-api/src/auth/principal-changes.ts';
const test = 'tests/admission/revocation.test.ts';
const lease = 'tests/admission/lease.test.ts';

export const admissionGuards: readonly Guard[] = [
  {
    promise: 'admission: what was read under another version of the account does not count',
    file: tokenCache,
    from: 'if (entry.version.value !== version.value) return',
    to: 'if (Date.now() < 0) return',
    test,
  },
  {
    promise: 'admission: a version counts on its own connection alone',
    file: tokenCache,
    from: 'if (entry.version.connection !== version.connection) return',
    to: 'if (Date.now() < 0) return',
    test,
  },
  {
    promise: 'admission: what PostgreSQL tells of changes counts',
    file: tokenCache,
    from: 'if (entry.readAt <= changes.invalidatedUpTo(token.accountId)) return',
    to: 'if (Date.now() < 0) return',
    test,
  },
  {
    promise: 'admission: without news of changes nothing remembered counts',
    file: tokenCache,
    from: 'return isFresh ? ',
    to: 'return Date.now() > 0 ? ',
    test,
  },
  {
    promise: 'admission: a change deletes the version of its account',
    file: revoker,
    from: 'const isDeleted = Number.isInteger(deleted);',
    to: 'const isDeleted = deleted === undefined;',
    test,
  },
  {
    promise: 'admission: a change that Redis does not confirm is waited for',
    file: revoker,
    from: "if (by === 'wait') await delay",
    to: "if (by === 'wait') Math.abs",
    test,
  },
  {
    promise: 'admission: where two Redis servers may be live every change is waited for',
    file: revoker,
    from: 'isDeleted && !waitsAlways',
    to: 'isDeleted',
    test: test,
  },
  {
    promise: 'admission: what was revoked already is confirmed again',
    file: 'services/auth-server/src/api-tokens/api-token-service.ts',
    from: '    affects(token.accountId);',
    to: '    if (token.revokedAt === null) affects(token.accountId);',
    test: test,
  },
  {
    promise: 'admission: a suspension of the machine ends the lease',
    file: changes,
    from: ', wall - leasedAt.wall]',
    to: ']',
    test: lease,
  },
  {
    promise: 'admission: a lease begins when its poll was sent',
    file: changes,
    from: 'leasedAt = sentAt;',
    to: 'leasedAt = now();',
    test: lease,
  },
  {
    promise: 'admission: after a long gap nothing earlier counts',
    file: changes,
    from: ' || !isWithin(longestGapMilliseconds)',
    to: '',
    test: lease,
  },
  {
    promise: 'admission: after a failover nothing earlier counts',
    file: changes,
    from: 'applied?.timeline !== poll.timeline',
    to: 'applied === undefined',
    test: lease,
  },
];
