import test from 'ava';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { signedInOwner } from './signed-in-owner.ts';

const environment = { PLAN_CONTACT: 'plans@example.com', ACCOUNT_STORAGE_MEGABYTES: '8' };
const stack = await startStack(test, { withAuthServer: true, environment });

test('the page of the plan names each limit, what is used of it, and whom to ask', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  t.true((await browser.get('/settings/plan')).text.includes('Storage 0.0 of 8 MB'));
  const client = { ...stack.client(await stack.createToken(account)), account };
  await makeProject(client);
  await makeArea(client);
  await makeTask(client, { description: 'Words. '.repeat(14_000) });
  const { text } = await browser.get('/settings/plan');
  for (const line of [
    'Your plan: Free',
    'Active projects 1 of 5',
    'Areas 1 of 2',
    'Deadlines Not included',
    'Logbook The last 14 days',
    'Personal tokens 1 of 50',
    'Connected apps 0 of 100',
    'Requests a minute',
    'For another plan, or more storage, contact plans@example.com.',
  ])
    t.true(text.includes(line), line);
  t.regex(text, /Storage 0\.[2-9] of 8 MB/);
});

test('whoever makes a token or allows an app reads that writing shows what was written', async (t) => {
  const { browser } = await signedInOwner(stack);
  const { text } = await browser.get('/settings/api');
  t.true(text.includes('Each change shows what it changed, a task’s notes included.'));
});
