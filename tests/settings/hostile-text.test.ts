import test from 'ava';
import { untrustedText } from '#auth-server/html/text.ts';
import { elementsNamed } from '#tests/support/page-markup.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectApp, furtherBrowser, signedInOwner } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

const hostileNames = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><h1>Another page</h1>',
  '&lt;b&gt; &amp; &#x3c;',
  '${alert(1)} {{7*7}} <%= 7 %>',
  'evil\u202etxt.exe',
  '\u2066\u2067\u2068 isolated \u200f\u200e',
  'line\nbreak\r\ttab\u2028\u2029',
  'W'.repeat(200),
  `a${'\u0301'.repeat(150)}`,
  'مرحبا بالعالم 👨‍👩‍👧‍👦 ❤️',
];

test('whatever a name holds, each page stays the page it is and shows the name', async (t) => {
  const owner = await signedInOwner(stack);
  const { account, browser } = owner;
  const tabs = ['/settings/api', '/settings/apps', '/settings/sessions', '/settings/activity'];
  for (const name of hostileNames) {
    await stack.createToken(account, { name });
    await connectApp(stack, account, { name, clientId: `https://example.com/${encodeURI(name)}` });
    // Header values can't hold every character.
    const userAgent = name.replace(/[^\x20-\x7e]/g, '');
    if (userAgent.trim() !== '') await furtherBrowser(stack, owner, userAgent);
    await browser.submit(await browser.get('/settings/api'), '/settings/api', { name, scope: ['read'] });
  }
  for (const tab of tabs) {
    // The view throws for markup that is not well-formed.
    const page = await browser.get(tab);
    t.is(elementsNamed(page.root, 'script').length, 1, tab);
    t.is(elementsNamed(page.root, 'h1').length, 1, tab);
    t.is(page.markup.match(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u2028\u2029]/), null, tab);
    t.false(/<[^>]*\son\w+=/.test(page.markup), tab);
    t.true(page.text.includes('<script>alert(1)</script>'), tab);
    t.true(page.text.includes("' onmouseover='alert(1)"), tab);
  }
  const { text } = await browser.get('/settings/api');
  t.true(text.includes('evilU+202Etxt.exe'));
  t.true(text.includes('مرحبا بالعالم 👨‍👩‍👧‍👦 ❤️'));
});

test('what somebody hides in a name is shown by its number, what languages and emoji need is left', (t) => {
  const shown = (text: string) => untrustedText(text).text.replace(/^<bdi class="untrusted">|<\/bdi>$/g, '');
  t.is(shown('a\u202eb'), 'a<code>U+202E</code>b');
  t.is(
    shown('\u{e0041}\u00ad\ufeff\u3164'),
    ['E0041', '00AD', 'FEFF', '3164'].map((hex) => `<code>U+${hex}</code>`).join(''),
  );
  t.is(shown('\u0007\n'), '<code>U+0007</code><code>U+000A</code>');
  t.is(shown('\ue000\u{10ffff}'), '<code>U+E000</code><code>U+10FFFF</code>');
  for (const kept of ['👩‍💻', '❤️', 'می‌خواهم', 'é', 'ệ', 'नमस्ते', 'ภาษาไทยที่นี่', '葛\u{e0100}', 'ñandú – “x”']) {
    t.is(shown(kept), kept);
  }
  t.is(shown(`x${'\u0301'.repeat(9)}y`), `x${'\u0301'.repeat(4)}…y`);
  t.is(shown('<&"\''), '&lt;&amp;&quot;&#39;');
});
