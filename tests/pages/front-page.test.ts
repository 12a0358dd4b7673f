import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { newVisit } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

test('the front page leads to the reference, the settings, sign-in and sign-up, and all of them answer', async (t) => {
  const browser = createPageBrowser(stack.baseUrl);
  const page = await browser.get('/');
  t.is(page.status, 200);
  const links = page.links.map(({ href }) => href);
  for (const href of ['/api/public/v1/docs', '/settings/api', '/sign-in', '/sign-up'])
    t.true(links.includes(href), href);
  for (const href of links.filter((link) => link.startsWith('/'))) {
    const answer = await browser.get(href).then((linked) => browser.follow(linked));
    t.is(answer.status, 200, href);
  }
});

test('whoever is signed in sees the account’s address and a way out instead of the ways in', async (t) => {
  const { browser, person } = await newVisit(stack);
  const page = await browser.get('/');
  t.true(page.text.includes(person.email));
  t.is(page.form('/sign-out').method, 'POST');
  const links = page.links.map(({ href }) => href);
  t.true(links.includes('/settings'));
  t.false(links.some((href) => /^\/sign-(in|up)/.test(href)));
});
