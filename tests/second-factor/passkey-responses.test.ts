import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import test from 'ava';
import { newVisit, type Person } from '#tests/pages/visitors.ts';
import type { PageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { securityPath } from './second-factors.ts';

const stack = await startStack(undefined, { withAuthServer: true });
test.after.always(() => stack.close());

/** A new passkey as an authenticator without attestation makes it (WebAuthn §6.5). */
function attestation(challenge: unknown, { idLength = 16 } = {}) {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );
  const credentialId = randomBytes(idLength);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(idLength);
  const site = createHash('sha256').update(new URL(stack.baseUrl).hostname).digest();
  const [flags, counter, model] = [Buffer.of(0x45), Buffer.alloc(4), Buffer.alloc(16)];
  const authData = Buffer.concat([site, flags, counter, model, length, credentialId, key]);
  const object = new Map<string | number, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', new Uint8Array(authData)],
  ]);
  const id = credentialId.toString('base64url');
  const data = JSON.stringify({ type: 'webauthn.create', challenge, origin: stack.baseUrl });
  const response = {
    clientDataJSON: Buffer.from(data).toString('base64url'),
    attestationObject: Buffer.from(isoCBOR.encode(object)).toString('base64url'),
  };
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
}

async function openForm(browser: PageBrowser) {
  const page = await browser.get(securityPath);
  const button = elementsNamed(page.root, 'div').find(({ attributes }) => attributes.has('data-options'));
  const { challenge }: { challenge: string } = JSON.parse(button?.attributes.get('data-options') ?? '{}');
  return { page, challenge };
}

const post = (browser: PageBrowser, page: PageView, passkey: object) => {
  const form = page.form(`${securityPath}/passkeys`);
  return browser.post(form.action, { ...Object.fromEntries(form.fields), passkey: JSON.stringify(passkey) });
};

const storedBy = ({ accountId }: Person) =>
  stack.sql<{ transports: string[] }>`select transports from auth.passkey where account_id = ${accountId}`;

test('what a browser says of the ways to reach a passkey is kept if it can be one', async (t) => {
  const { browser, person } = await newVisit(stack);
  for (const [transports, kept] of [
    [undefined, []],
    [
      ['usb', 'smart-card', 'yet-unknown'],
      ['usb', 'smart-card', 'yet-unknown'],
    ],
    [['\0', null, 7, {}, 'x'.repeat(30_000), 'nfc'], ['nfc']],
    [Array(12).fill('usb'), Array(10).fill('usb')],
    ['usb', []],
    [{ usb: true }, []],
    [7, []],
  ]) {
    const { page, challenge } = await openForm(browser);
    const made = attestation(challenge);
    const response = { ...made.response, transports };
    t.true((await post(browser, page, { ...made, response })).status < 400);
    t.deepEqual((await storedBy(person)).at(-1)?.transports, kept);
    await stack.sql`delete from auth.passkey where account_id = ${person.accountId}`;
  }
});

test('a passkey whose id is longer than WebAuthn allows is refused', async (t) => {
  const { browser, person } = await newVisit(stack);
  for (const [idLength, count] of [
    [10_000, 0],
    [1_024, 0],
    [1_023, 1],
  ] as const) {
    const { page, challenge } = await openForm(browser);
    const answer = await post(browser, page, attestation(challenge, { idLength }));
    t.is(answer.status, count === 0 ? 400 : 200);
    t.is((await storedBy(person)).length, count);
  }
});

test('a challenge that is no text is refused, whatever length it claims', async (t) => {
  const { browser } = await newVisit(stack);
  const { page } = await openForm(browser);
  // Allocating as much would keep the process for minutes.
  for (const challenge of [7, null, ['x'], { length: 2 ** 31 }])
    t.is((await post(browser, page, attestation(challenge))).status, 400);
});
