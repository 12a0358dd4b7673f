import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { startAdmin } from '#tests/admin/run-admin.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { withAuthServer: true });
const listFile = new URL('../../services/auth-server/src/accounts/common-passwords.txt', import.meta.url);
const rule = 'must not be one of the most common passwords';

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
    t.true(says.startsWith(`The password ${rule}.`), says);
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
  t.is(await admin.given('Football1').fail('account', 'create', ...account), `--password ${rule}`);
  t.deepEqual(await admin.sql`select id from auth.account`, []);
  await admin.given('correct horse').ask('account', 'create', ...account);
  t.is(await admin.given('iloveyou').fail('account', 'update', ...account), `--password ${rule}`);
});

test('more than 3,000 common passwords are known that are long enough to be chosen', async (t) => {
  const lines = (await readFile(listFile, 'utf8')).trimEnd().split('\n');
  const known = lines.filter((line) => !line.startsWith('#'));
  t.true(known.length > 3_000, String(known.length));
  t.deepEqual(known, [...new Set(known)].toSorted(), 'sorted, and each of them once');
  t.deepEqual(
    known.filter((line) => [...line].length < 8 || line !== line.normalize('NFKC').toLowerCase()),
    [],
  );
});
