import test from 'ava';
import { hashPassword, verifyPassword } from '#auth-server/accounts/password-hash.ts';
import { AppError } from '#shared/errors/app-error.ts';

test('a hash is an argon2id PHC string with at least the cost that OWASP asks for', async (t) => {
  const hash = await hashPassword('correct horse');
  t.regex(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('only the password itself verifies', async (t) => {
  const hash = await hashPassword('correct horse');
  t.true(await verifyPassword('correct horse', hash));
  t.false(await verifyPassword('correct horse ', hash));
  t.false(await verifyPassword('Correct horse', hash));
  t.false(await verifyPassword('', hash));
});

test('equal passwords have different hashes', async (t) => {
  t.not(await hashPassword('correct horse'), await hashPassword('correct horse'));
});

test('hashes of the reference implementation verify, whatever their cost', async (t) => {
  // From the reference implementation's own tests (phc-winner-argon2, src/test.c, version 0x13).
  const cheap = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  const costly = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  t.true(await verifyPassword('password', cheap));
  t.true(await verifyPassword('password', costly));
  t.false(await verifyPassword('differentpassword', costly));
});

test('a letter composed in another way is the same letter', async (t) => {
  t.true(await verifyPassword('cafe\u0301 \u00e9t\u00e9', await hashPassword('caf\u00e9 e\u0301te\u0301')));
});

test('what is no hash is an error, not a mismatch', async (t) => {
  await t.throwsAsync(verifyPassword('correct horse', 'none'), { message: /not an argon2id PHC string/ });
});

test.serial('of a flood of passwords two are hashed at once, 64 wait and the rest is refused', async (t) => {
  const flood = await Promise.allSettled(Array.from({ length: 70 }, () => hashPassword('correct horse')));
  const refusals = flood.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
  t.is(refusals.length, 4);
  t.true(refusals.every((error) => error instanceof AppError && error.code === 'service_unavailable'));
  t.true(await verifyPassword('correct horse', await hashPassword('correct horse')));
});
