import test from 'ava';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import { newPerson } from '#tests/pages/visitors.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { withAuthServer: true });

test('a browser session’s secret is 256 bits that nobody chose, and another with every sign-in', async (t) => {
  const person = await newPerson(stack);
  const secrets: Buffer[] = [];
  for (let count = 0; count < 16; count += 1) {
    const browser = createPageBrowser(stack.baseUrl);
    await browser.signIn(person);
    secrets.push(Buffer.from(browser.cookies.get('tasks_session') ?? '', 'base64url'));
  }
  t.deepEqual([...new Set(secrets.map(({ length }) => length))], [32]);
  t.is(new Set(secrets.map((secret) => secret.toString('hex'))).size, 16);
  // 4,096 bits: half of them set, by six standard deviations (32 bits each).
  const ones = Buffer.concat(secrets).reduce(
    (sum, byte) => sum + byte.toString(2).replaceAll('0', '').length,
    0,
  );
  t.true(Math.abs(ones - 2_048) < 6 * 32, String(ones));
});

test('a personal token has 37 characters of which none is likelier than another', (t) => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const tokens = Array.from({ length: 10_000 }, mintApiToken);
  t.is(new Set(tokens).size, tokens.length);
  const counts = new Map([...alphabet].map((character) => [character, 0]));
  for (const token of tokens) {
    t.regex(token, /^tms_[0-9A-Za-z]{43}$/);
    for (const character of token.slice(4, 41)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  // Chi-square with 61 degrees of freedom lies beyond 130 once in a million runs.
  const expected = (tokens.length * 37) / alphabet.length;
  const chiSquare = counts.values().reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  t.is(counts.size, 62);
  t.true(chiSquare < 140, String(chiSquare));
});
