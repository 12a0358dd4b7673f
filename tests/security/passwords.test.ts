import { randomUUID } from 'node:crypto';
import test from 'ava';
import { password } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed } from '#tests/support/page-markup.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { withAuthServer: true, own: true });

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
