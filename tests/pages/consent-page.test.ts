import test from 'ava';
import { renderPage } from '#auth-server/html/page.ts';
import { type ConsentPageOptions, consentPage } from '#auth-server/interaction/consent-page.ts';
import { html } from '#shared/html/html.ts';
import { elementsNamed } from '#tests/support/page-markup.ts';
import { type PageView, viewPage } from '#tests/support/page-view.ts';

const path = '/oauth/interaction/abc';

function view(options: Partial<ConsentPageOptions> = {}): PageView {
  const page = consentPage({
    interactionPath: path,
    clientName: 'Claude',
    clientId: 'a-random-id',
    logoUrl: undefined,
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    scopes: ['read', 'write'],
    heldScopes: [],
    user: {
      confirmedAt: new Date(),
      secretHash: Buffer.alloc(32),
      sessionId: '6a2f41a3-c54c-4ad1-8b5c-3e2f0f5a4b1c',
      hasSecondFactor: false,
      account: {
        id: '7a2f41a3-c54c-4ad1-8b5c-3e2f0f5a4b1c',
        email: 'ada@example.com',
        timezone: 'UTC',
        plan: 'free',
        status: 'active',
      },
    },
    csrf: html`<input type="hidden" name="csrf_token" value="for the decision">`,
    signOutCsrf: html`<input type="hidden" name="csrf_token" value="for signing out">`,
    ...options,
  });
  return viewPage(path, 200, new Headers({ 'content-type': 'text/html' }), renderPage(page).text);
}

test('the page names the app in quotes and says that nobody has checked the name', (t) => {
  const { heading, title, text } = view();
  t.is(heading, 'Let “Claude” use your tasks?');
  t.true(text.includes('The app chose this name itself. We have not checked it.'));
  t.is(title.includes('Claude'), false);
});

test('the page tells what the app has already from what is new', (t) => {
  t.true(
    view({ heldScopes: ['read'] }).text.includes('This app is connected already: Read only. New: Write.'),
  );
  t.true(view({ heldScopes: ['read', 'write'] }).text.includes('It asks for nothing new.'));
  t.false(view().text.includes('already'));
});

test('a web app’s answer goes to a host that is shown, in the spelling that tells look-alikes apart', (t) => {
  const cases: [string, string][] = [
    ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
    ['https://accounts.google.com.evil.example/callback', 'accounts.google.com.evil.example'],
    ['https://xn--cludo-5ve.example:8443/?next=claude.ai', 'xn--cludo-5ve.example:8443'],
  ];
  for (const [redirectUri, host] of cases) {
    const { text, markup } = view({ redirectUri });
    t.true(text.includes(`Your answer goes to ${host} Allow it only if you know this site`), text);
    t.true(markup.includes(`<p class="host"><strong>${host}</strong></p>`));
    t.false(text.includes('callback'));
  }
});

test('an app on this device can be any app: the page warns (RFC 8252 §8.6)', (t) => {
  const warning = 'We can’t tell which app that is. Only continue if you started this yourself just now.';
  const cases: [string, string][] = [
    ['http://127.0.0.1:49152/callback', 'an app on this device, at 127.0.0.1:49152'],
    ['http://localhost:8080/', 'an app on this device, at localhost:8080'],
    ['http://[::1]:1234/cb', 'an app on this device, at [::1]:1234'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'the app on this device that opens cursor: links'],
    ['com.example.app:/oauth', 'the app on this device that opens com.example.app: links'],
  ];
  for (const [redirectUri, receiver] of cases) {
    const { text } = view({ redirectUri });
    t.true(text.includes(`Your answer goes to ${receiver} ${warning}`), text);
  }
  t.false(view().text.includes(warning));
});

test('an app that is known by the URL of its description is shown with that host only', (t) => {
  const described = view({ clientId: 'https://claude.ai/oauth/mcp-oauth-client-metadata' });
  t.true(described.text.includes('Its description comes from claude.ai.'));
  t.false(view().text.includes('description'));
  t.false(view().text.includes('a-random-id'));
});

test('the page shows whose account it is about, leads to another one, and says how to undo it', (t) => {
  const page = view();
  t.true(page.text.includes('This is about the account ada@example.com.'));
  const form = page.forms.find(({ buttons }) => buttons[0]?.text === 'Use another account');
  t.is(form?.action, '/sign-out');
  t.deepEqual(form?.fields, [
    ['csrf_token', 'for signing out'],
    ['return_to', path],
  ]);
  t.true(page.links.some(({ href, text }) => href === '/settings/apps' && text.includes('Connected apps')));
});

test('the page says where changes of an app can be undone, except for one that only reads', (t) => {
  t.true(view().text.includes('listed under Activity in the app, and you can take it back for 30 days.'));
  t.false(view({ scopes: ['read'] }).text.includes('Activity'));
});

test('the page leads with what will be allowed; the warning stands beside the decision', (t) => {
  const { text } = view({ redirectUri: 'http://127.0.0.1:49152/callback' });
  const parts = [
    'use your tasks?',
    'We have not checked it',
    'It asks to',
    'take it back',
    'We can’t tell',
    'Allow',
  ];
  const places = parts.map((part) => text.indexOf(part));
  t.false(places.includes(-1));
  t.deepEqual(
    places,
    places.toSorted((left, right) => left - right),
  );
});

test('an app is shown with its logo or its initial, and the logo is its own word as well', (t) => {
  const logoUrl = `${path}/logo`;
  const shown = view({ logoUrl });
  t.true(shown.markup.includes(`data-logo="${logoUrl}"`));
  t.true(shown.markup.includes(`<noscript><img src="${logoUrl}" alt=""></noscript>`));
  t.true(shown.text.includes('The app chose this name and logo itself. We have not checked them.'));
  for (const [clientName, initial] of [
    ['claude', 'C'],
    ['“émile”', 'É'],
    ['🦊', '?'],
  ]) {
    const page = view({ clientName: clientName ?? '' });
    t.false(page.markup.includes('data-logo'));
    t.true(page.markup.includes(`data-initial="${initial}"`));
  }
});

test('whatever the app calls itself, the page stays what it is', (t) => {
  const names = [
    '<script>alert(1)</script>',
    '"></h1><form action="https://evil.example">',
    'Claude” is checked by us. “',
    '\u202eelgooG',
    '\u2067Claude\u2069 — verified ✔\u200f',
    'W'.repeat(200),
    `a${'\u0301'.repeat(199)}`,
    'two\nlines',
  ];
  for (const clientName of names) {
    const page = view({ clientName });
    t.is(page.forms.length, 2, clientName);
    t.is(elementsNamed(page.root, 'script').length, 1);
    t.true(page.heading.startsWith('Let “') && page.heading.endsWith('” use your tasks?'));
    t.is(page.markup.match(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]|\p{M}{5}/u), null);
    for (const bdi of elementsNamed(page.root, 'h1').flatMap((heading) => elementsNamed(heading, 'bdi')))
      t.is(bdi.attributes.get('class'), 'untrusted');
    t.is(elementsNamed(page.root, 'h1').flatMap((heading) => elementsNamed(heading, 'bdi')).length, 1);
  }
});
