import type { Guard } from './guard.ts';

const tokenCache = 'services/resource-api/src/auth/token-cache.ts';
const revoker = 'shared/admission/revoker.ts';
const test = 'tests/admission/revocation.test.ts';

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
];
