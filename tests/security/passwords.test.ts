import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dictionary } from '@zxcvbn-ts/language-common';
import test from 'ava';
import { hashPassword, verifyPassword } from '#auth-server/accounts/password-hash.ts';
import { requireStrongPassword } from '#auth-server/accounts/password-strength.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { startAdmin } from '#tests/admin/run-admin.ts';
import { password } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed } from '#tests/support/page-markup.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { withAuthServer: true });
const listFile = new URL('../../services/auth-server/src/accounts/common-passwords.txt', import.meta.url);
const rule = 'is too easy to guess.';

/** What signing up with it comes to. */
async function signUpWith(password: string): Promise<{ status: number; says: string }> {
  const browser = createPageBrowser(stack.baseUrl);
  const fields = { email: `${randomUUID()}@example.com`, password };
  const answer = await browser.submit(await browser.get('/sign-up'), '/sign-up', fields);
  return { status: answer.status, says: answer.status === 400 ? answer.description('password') : '' };
}

const refused = {
  'first among the most common': '12345678',
  'the word itself': 'password',
  'a row of keys': 'qwertyuiop',
  'a row of keys, downwards': '1qaz2wsx',
  'one character again and again': '88888888',
  'a word that everybody chooses': 'sunshine',
  'a word in capitals': 'SUNSHINE',
  'a word with a capital': 'Sunshine',
  'a word with what rules once asked for': 'P@ssw0rd',
  'a word in full-width letters': 'ｓｕｎｓｈｉｎｅ',
};

for (const [what, password] of Object.entries(refused)) {
  test(`a password that many have chosen is refused: ${what}`, async (t) => {
    const { status, says } = await signUpWith(password);
    t.is(status, 400);
    t.true(says.startsWith(`The password ${rule}`), says);
  });
}

test('a password that only holds a common one may be chosen', async (t) => {
  for (const password of ['sunshine on the north side', 'another password here', '12345678 steps'])
    t.is((await signUpWith(password)).status, 303, password);
});

const ada = 'ada.lindqvist@harbour-works.example';
const guessable: [what: string, password: string, help: RegExp][] = [
  ['a word and a year', 'Sunshine2026', /similar to a commonly used password/],
  ['keys beside each other', 'zxcvfrewq', /Add more words/],
  ['equal characters', '~~~~~~~~', /Repeated characters/],
  ['the address', ada, /your address or the name of this service/],
  ['parts of the address', 'Harbour-Lindqvist-26', /your address or the name of this service/],
  ['the service’s name', 'tasks!tasks!', /your address or the name of this service/],
  ['a thousand equal characters', '1'.repeat(1_000), /Repeated characters/],
];

for (const [what, password, help] of guessable) {
  test(`a password that is soon guessed is refused, with what would help: ${what}`, async (t) => {
    const browser = createPageBrowser(stack.baseUrl);
    const answer = await browser.submit(await browser.get('/sign-up'), '/sign-up', { email: ada, password });
    t.is(answer.status, 400);
    t.regex(answer.description('password'), /^The password is too easy to guess\. /);
    t.regex(answer.description('password'), help);
  });
}

test('an operator can’t give an account a password that many have chosen', async (t) => {
  const admin = await startAdmin(t);
  const account = ['--email', 'ada@example.com', '--password', '-'];
  const refusal = `--password ${rule} This is a commonly used password. Add more words that are less common.`;
  t.is(await admin.given('football1').fail('account', 'create', ...account), refusal);
  t.deepEqual(await admin.sql`select id from auth.account`, []);
  await admin.given('correct horse').ask('account', 'create', ...account);
  t.is(await admin.given('football1').fail('account', 'update', ...account), refusal);
});

test('the 3,000 most common passwords and our further ones are refused in any case', async (t) => {
  const listed = (await readFile(listFile, 'utf8')).split('\n').filter((line) => !/^(#|$)/.test(line));
  const mostCommon = dictionary['passwords-common'].filter(({ length }) => length >= 8).slice(0, 3_000);
  t.deepEqual(listed, [...new Set(listed)].toSorted(), 'sorted, and each of them once');
  for (const common of [...listed, ...mostCommon]) {
    const chosen = [...common].map((letter, place) => (place % 2 ? letter.toUpperCase() : letter)).join('');
    await t.throwsAsync(requireStrongPassword('password', chosen, ada), undefined, chosen);
  }
});

const accepted = {
  'of eight random characters': 'xk3Lq9pz',
  'of blanks around words': '  a word of mine  ',
  'of another script': 'пароль и ещё',
  'of emoji alone': '🦊🚲🌧🍋🔑🎻🧭🪁',
  'of 1,024 characters': `seven quiet harbours ${'and more '.repeat(120)}`.slice(0, 1_024),
};

for (const [what, chosen] of Object.entries(accepted)) {
  test(`a password ${what} may be chosen, and counts to its last character`, async (t) => {
    const email = `${randomUUID()}@example.com`;
    await createPageBrowser(stack.baseUrl).signUp({ email, password: chosen });
    await t.notThrowsAsync(createPageBrowser(stack.baseUrl).signIn({ email, password: chosen }));
    const others = [[...chosen].slice(0, -1).join(''), `${chosen} `, chosen.trim(), chosen.toUpperCase()];
    for (const other of others.filter((text) => text !== chosen))
      await t.throwsAsync(
        createPageBrowser(stack.baseUrl).signIn({ email, password: other }),
        undefined,
        other,
      );
  });
}

test('fields for passwords hide what is typed, and take what managers and the clipboard bring', async (t) => {
  const account = await stack.createAccount({ password });
  const browser = createPageBrowser(stack.baseUrl);
  const pages = [await browser.get('/sign-in'), await browser.get('/sign-up')];
  await browser.signIn({ email: account.email, password });
  pages.push(await browser.get('/settings'));
  const fields = pages.flatMap((page) =>
    elementsNamed(page.root, 'input').filter(({ attributes }) =>
      /password/i.test(attributes.get('name') ?? ''),
    ),
  );
  t.is(fields.length, 4);
  for (const { attributes } of fields) {
    t.is(attributes.get('type'), 'password');
    t.regex(attributes.get('autocomplete') ?? '', /^(current|new)-password$/);
    for (const name of ['maxlength', 'pattern', 'readonly', 'disabled', 'onpaste'])
      t.false(attributes.has(name), name);
  }
  const scripts = pages
    .flatMap((page) => elementsNamed(page.root, 'script'))
    .map(({ attributes }) => attributes.get('src'));
  for (const source of new Set(scripts)) {
    const script = await (await fetch(stack.baseUrl + source)).text();
    t.notRegex(script, /paste|oncopy|'copy'/);
  }
});

test('a hash is an argon2id PHC string with at least the cost that OWASP asks for', async (t) => {
  const hash = await hashPassword('correct horse');
  t.regex(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
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
