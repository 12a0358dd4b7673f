import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { newPerson, newVisit } from '../pages/visitors.ts';
import { startMailServer } from './mail-server.ts';

const mail = await startMailServer();
const environment = { SMTP_URL: mail.url, MAIL_FROM: 'Tasks <tasks@example.com>' };
const stack = await startStack(undefined, { withAuthServer: true, environment });
test.after.always(async () => {
  await stack.close();
  await mail.close();
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('the owner is told of a browser that was not seen before, once', async (t) => {
  const person = await newPerson(stack);
  const browser = createPageBrowser(stack.baseUrl, { userAgent: firefox });
  await browser.signIn(person);
  await browser.submit(await browser.get('/sign-out'), '/sign-out');
  await browser.signIn(person);
  const message = await mail.mailTo(person.email, 'A new browser signed in');
  t.regex(message, /With: Firefox on Linux/);
  t.regex(message, /From: 127\.0\.0\.1/);
  t.regex(message, /\/settings\/sessions/);
  await untilNothingIsQueued();
  const received = () => mail.received.filter(({ to }) => to.includes(person.email)).length;
  t.is(received(), 1);
  await createPageBrowser(stack.baseUrl, { userAgent: firefox }).signIn(person);
  await waitFor(() => received() === 2, { timeoutMilliseconds: 30_000, what: 'the other browser' });
});

test('the owner is told of a personal token, under its name', async (t) => {
  const { browser, person } = await newVisit(stack);
  const page = await browser.get('/settings/api');
  await browser.submit(page, '/settings/api', { name: 'Report <b>', scope: ['read'] });
  const message = await mail.mailTo(person.email, 'A personal token');
  t.regex(message, /The personal token “Report <b>” was created\./);
  t.regex(message, /Report &lt;b&gt;/);
});

async function untilNothingIsQueued(): Promise<void> {
  await waitFor(
    async () => {
      const waiting = await stack.sql`select id from jobs.job where state not in ('completed', 'failed')`;
      return waiting.length === 0;
    },
    { timeoutMilliseconds: 30_000 },
  );
}
