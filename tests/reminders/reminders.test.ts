import { subscribe as subscribeToChannel, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import test from 'ava';
import { connectAssistant } from '#tests/assistant/assistant-client.ts';
import { resultsOf } from '#tests/assistant/desk.ts';
import { whileLocked } from '#tests/oauth/while-locked.ts';
import { newVisit } from '#tests/pages/visitors.ts';
import { makeTask, makeTasks } from '#tests/support/factories.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import {
  allHandled,
  mailedPerson,
  type RemindedPerson,
  remindedPerson,
  start,
  startReminderStack,
  subscribeAs,
  turnOn,
} from './reminder-stack.ts';

const stack = await startReminderStack(test);
const { push, slowPush, mail, clock } = stack;
const inTime = (what: string) => ({ timeoutMilliseconds: 60_000, what });
const nineThirty = { dueDate: '2035-10-26', reminderTime: '09:30' };
const halfPastSeven = '2035-10-26T07:30:00Z';

test.beforeEach(() => clock.set(start));

const titlesFor = ({ subscription }: Pick<RemindedPerson, 'subscription'>) =>
  push.received
    .filter(({ subscription: { endpoint } }) => endpoint === subscription.endpoint)
    .map(({ payload }) => (payload.kind === 'task' ? payload.title : payload.titles.join()));

const subscriptionsOf = ({ person }: Pick<RemindedPerson, 'person'>) =>
  stack.sql<{ endpoint: string; p256dh: string }>`
    select endpoint, p256dh from auth.push_subscription where account_id = ${person.accountId}`;

test.serial('of two replicas one reminds, once, at its time, encrypted for the browser', async (t) => {
  const person = await remindedPerson(stack);
  const { id } = await makeTask(person.client, { title: 'Call\nAda', ...nineThirty });
  clock.set('2035-10-26T07:29:59Z');
  await allHandled(stack);
  t.deepEqual(titlesFor(person), []);
  clock.set(halfPastSeven);
  await waitFor(() => titlesFor(person).length > 0, inTime('the reminder'));
  const [received] = push.received;
  t.like(received?.payload, {
    kind: 'task',
    taskId: id,
    title: 'Call Ada',
    dueDate: '2035-10-26',
    time: '09:30',
    timezone: 'Europe/Berlin',
  });
  t.like(received?.headers, { 'content-encoding': 'aes128gcm', urgency: 'high' });
  t.regex(received?.headers.authorization ?? '', /^vapid t=[\w.-]+, k=[\w-]{87}$/);
  clock.set('2035-10-27T00:00:00Z');
  await allHandled(stack);
  t.deepEqual(titlesFor(person), ['Call Ada']);
  t.false(JSON.stringify(stack.log).includes('Call Ada'));
});

test.serial('closed, trashed, undated and moved tasks do not remind; a new zone moves times', async (t) => {
  const person = await remindedPerson(stack);
  const { client } = person;
  const make = (title: string) => makeTask(client, { title, ...nineThirty });
  await client.post(`/tasks/${(await make('completed')).id}/complete`);
  await client.post(`/tasks/${(await make('cancelled')).id}/cancel`);
  await client.delete(`/tasks/${(await make('trashed')).id}`);
  await client.patch(`/tasks/${(await make('undated')).id}`, { dueDate: null });
  await client.patch(`/tasks/${(await make('moved')).id}`, { dueDate: '2035-10-28' });
  const reopened = await make('reopened');
  await client.post(`/tasks/${reopened.id}/complete`);
  await client.post(`/tasks/${reopened.id}/uncomplete`);
  clock.set(halfPastSeven);
  await allHandled(stack);
  t.deepEqual(titlesFor(person), ['reopened']);
  // Half past nine in New York on that Sunday, when Europe has left summer time and America has not.
  await stack.sql`update auth.account set timezone = 'America/New_York'
    where id = ${person.person.accountId}`;
  clock.set('2035-10-28T13:29:59Z');
  await allHandled(stack);
  t.deepEqual(titlesFor(person), ['reopened']);
  clock.set('2035-10-28T13:30:00Z');
  await allHandled(stack);
  t.deepEqual(titlesFor(person), ['reopened', 'moved']);
});

test.serial('mail reminds where it is wanted, and a digest comes once a day at its hour', async (t) => {
  const { browser, person } = await newVisit(stack, { timezone: 'Europe/Berlin' });
  const client = stack.client(await stack.createToken(person));
  const silent = await browser.get('/settings/reminders');
  t.regex(silent.text, /No reminder will be sent/);
  const fields = { by_mail: 'yes', digest_hour: '9' };
  t.is((await browser.submit(silent, '/settings/reminders/channels', fields)).status, 303);
  t.notRegex((await browser.get('/settings/reminders')).text, /No reminder will be sent/);
  await makeTask(client, { title: `Water the ficus ${'n'.repeat(183)}👩‍👩‍👧nnn`, ...nineThirty });
  await makeTask(client, { title: 'Overdue', dueDate: '2035-10-01' });
  await makeTask(client, { title: 'Not yet', dueDate: '2035-11-01' });
  clock.set('2035-10-26T07:00:00Z');
  const digest = await mail.mailTo(person.email, 'Overdue');
  t.true(digest.indexOf('Overdue') < digest.indexOf('Water the ficus'));
  t.regex(digest, /Overdue \(since \w+, \d+ October 2035\)\s+\S+\/app\/task\/[\w-]+/);
  t.regex(digest, /<a href="\S+\/settings\/reminders" [^>]*>Change this<\/a>/);
  t.regex(digest, /Water the ficus n{183}… \(/);
  t.false(digest.includes('Not yet'));
  t.regex(digest, /<a [^>]*dir="auto"[^>]*>Overdue</, 'titles have the direction of their own letters');
  clock.set(halfPastSeven);
  const sent = await mail.mailTo(person.email, '26 October 2035 at 09:30');
  t.regex(sent, /<h1 dir="auto"[^>]*>Water the ficus/);
  t.regex(sent, /at 09:30 \(/);
  await allHandled(stack);
  const wrong = await browser.submit(silent, '/settings/reminders/channels', { digest_hour: '7 ' });
  t.is(wrong.status, 400);
  const mails = mail.received.filter(
    ({ to, source }) => to.includes(person.email) && !/new[ _]browser/.test(source),
  );
  t.is(mails.length, 2);
});

test.serial('a digest that is due while its settings are saved is sent, as of the present day', async (t) => {
  const { browser, person, client } = await mailedPerson(stack, { digest_hour: '9' });
  await makeTask(client, { title: 'Water the palm', dueDate: '2035-10-29' });
  const page = await browser.get('/settings/reminders');
  const statement = 'select from auth.reminder_settings where account_id = $1 for update';
  const values = [person.accountId];
  const held = { table: 'reminder_settings', statement, values, end: 'commit' } as const;
  await whileLocked(stack, held, () => {
    clock.set('2035-10-29T10:00:00Z');
    return [browser.submit(page, '/settings/reminders/channels', { by_mail: 'yes', digest_hour: '9' })];
  });
  t.regex(await mail.mailTo(person.email, 'Water the palm'), /29 October 2035: 1 task/);
});

test.serial('a mail program ends reminders with one request; opening the link ends nothing', async (t) => {
  const { browser, person, client } = await mailedPerson(stack);
  const page = () => browser.get('/settings/reminders');
  await makeTask(client, { title: 'Water the fern', ...nineThirty });
  clock.set(halfPastSeven);
  const sent = await mail.mailTo(person.email, '26 October 2035 at 09:30');
  const { source = '' } = mail.received.findLast(({ to }) => to.includes(person.email)) ?? {};
  t.regex(source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  const [, url = ''] = /^List-Unsubscribe:\s+<(\S+)>\r$/m.exec(source) ?? [];
  t.true(sent.includes(`\nUnsubscribe: ${url}`));
  t.true(sent.includes(`<a href="${url}"`));

  const opened = await fetch(url);
  t.is(opened.status, 200);
  t.regex(await opened.text(), /No more reminders by mail\?/);
  t.notRegex((await page()).text, /No reminder will be sent/);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const other = url.replace('link=', 'link=0');
  t.is((await fetch(other, { method: 'POST', body })).status, 400);
  t.notRegex((await page()).text, /No reminder will be sent/);
  t.is((await fetch(url, { method: 'POST', body })).status, 200);
  t.regex((await page()).text, /No reminder will be sent/);
  await makeTask(client, { title: 'Repot the fern', dueDate: '2035-10-27', reminderTime: '09:30' });
  clock.set('2035-10-27T07:30:00Z');
  await allHandled(stack);
  t.false(mail.received.some(({ source }) => source.includes('Repot the fern')));
});

test.serial('the many reminders of one account come after the mail of others', async (t) => {
  const [many, other] = [await mailedPerson(stack), await mailedPerson(stack)];
  await makeTasks(many.client, 120, nineThirty);
  await makeTask(other.client, { title: 'Water the orchid', ...nineThirty, reminderTime: '09:31' });
  const resume = mail.pause();
  const before = mail.received.length;
  clock.set(halfPastSeven);
  await waitFor(async () => (await waitingMails()) > 100, inTime('mails to wait'));
  clock.set('2035-10-26T07:31:00Z');
  const form = await other.browser.get('/sign-in/forgot');
  await other.browser.submit(form, '/sign-in/forgot', { email: other.person.email });
  await waitFor(async () => (await waitingMails()) > 121, inTime('the other mails to wait'));
  resume();
  await mail.mailTo(other.person.email, 'Water the orchid');
  await mail.mailTo(other.person.email, '/sign-in/reset?link=');
  const received = mail.received.slice(before).map(({ to }) => to.includes(other.person.email));
  t.true(received.lastIndexOf(true) < 60, `after ${received.lastIndexOf(true)} others`);
  await allHandled(stack);
});

async function waitingMails(): Promise<number> {
  const [waiting] = await stack.sql<{ count: number }>`select count(*)::integer as count from jobs.job
    where name = 'mail' and state in ('created', 'active')`;
  return waiting?.count ?? 0;
}

test.serial('an account that is to be deleted is reminded of nothing, unless it is kept', async (t) => {
  const { browser, person, client } = await mailedPerson(stack, { digest_hour: '9' });
  for (const dueDate of ['2035-10-26', '2035-10-27'])
    await makeTask(client, { title: `Ficus of ${dueDate}`, dueDate, reminderTime: '09:30' });
  await browser.submit(await browser.get('/settings/data'), '/settings/data/delete');
  clock.set(halfPastSeven);
  await allHandled(stack);
  t.false(mail.received.some(({ to, source }) => to.includes(person.email) && /Ficus/.test(source)));

  await browser.signIn(person);
  clock.set('2035-10-27T07:30:00Z');
  t.regex(await mail.mailTo(person.email, '27 October 2035 at 09:30'), /Ficus of 2035-10-27/);
});

test.serial('what is no push service or another account’s is refused and changes nothing', async (t) => {
  const person = await remindedPerson(stack);
  const before = await subscriptionsOf(person);
  const { p256dh, auth } = push.subscribe();
  const refused = {
    'a page': 'https://example.com/push',
    'a private address': 'https://10.0.0.1/push',
    'this machine': 'https://127.0.0.1/push',
    'no TLS': 'http://fcm.googleapis.com/fcm/send/1',
    'another port': 'https://fcm.googleapis.com:8443/fcm/send/1',
    'a name that only ends like one': 'https://notfcm.googleapis.com/1',
    'user information': 'https://me@fcm.googleapis.com/fcm/send/1',
    nothing: '',
  };
  for (const [what, endpoint] of Object.entries(refused)) {
    const { status, markup } = await subscribeAs(stack, person.browser, { endpoint, p256dh, auth });
    t.is(status, 400, what);
    t.regex(markup, /"errors":\{"endpoint":/, what);
  }
  const noKey = await subscribeAs(stack, person.browser, { ...push.subscribe(), p256dh: 'A'.repeat(87) });
  t.regex(noKey.markup, /"errors":\{"keys":/);
  const stranger = await newVisit(stack);
  const foreign = await subscribeAs(stack, stranger.browser, person.subscription);
  t.is(foreign.status, 409);
  t.regex(foreign.markup, /another account/);
  t.is((await turnOn(stranger, person.subscription)).status, 409);
  const [{ id = '' } = {}] = await stack.sql<{ id: string }>`
    select id from auth.push_subscription where account_id = ${person.person.accountId}`;
  const ended = await stranger.browser.submit(
    await stranger.browser.get('/settings/reminders'),
    '/settings/reminders/channels',
  );
  t.is(ended.status, 303);
  t.is((await stranger.browser.post(`/settings/reminders/${id}/off`, {})).status, 403);
  t.deepEqual(await subscriptionsOf(person), before);
  t.deepEqual(await subscriptionsOf(stranger), []);
  const nobody = await subscribeAs(stack, (await newVisit(stack)).browser, push.subscribe(), {
    origin: 'https://evil.example',
  });
  t.is(nobody.status, 400);
});

test.serial('a subscription is its session’s: renewed by the browser, gone when it signs out', async (t) => {
  const person = await remindedPerson(stack);
  const renewed = push.subscribe();
  t.is((await subscribeAs(stack, person.browser, renewed)).status, 204);
  await makeTask(person.client, { title: 'Renewed', ...nineThirty });
  await makeTask(person.client, { title: 'Signed out', dueDate: '2035-10-27', reminderTime: '09:30' });
  clock.set(halfPastSeven);
  await allHandled(stack);
  t.deepEqual(titlesFor({ subscription: renewed }), ['Renewed']);
  t.deepEqual(titlesFor(person), []);
  await person.browser.submit(await person.browser.get('/settings/reminders'), '/sign-out');
  t.deepEqual(await subscriptionsOf(person), []);
  clock.set('2035-10-27T07:30:00Z');
  await allHandled(stack);
  t.deepEqual(titlesFor({ subscription: renewed }), ['Renewed']);
});

test.serial('no more than twenty browsers are reminded, however many ask at once', async (t) => {
  const { person } = await remindedPerson(stack);
  const browsers = Array.from({ length: 21 }, () => createPageBrowser(stack.baseUrl));
  for (const browser of browsers) await browser.signIn(person);
  const ask = (browser: PageBrowser) => subscribeAs(stack, browser, push.subscribe());
  for (const browser of browsers.splice(2)) await ask(browser);
  await stack.sql`delete from auth.push_subscription
    where id = (select id from auth.push_subscription where account_id = ${person.accountId} limit 1)`;
  const statement = 'select from auth.account where id = $1 for update';
  const held = { table: '', statement, values: [person.accountId], end: 'rollback' } as const;
  const answers = await whileLocked(stack, held, () => browsers.map(ask));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409]);
});

test.serial('busy push services are asked again, gone browsers forgotten, silent ones left', async (t) => {
  const busy = await remindedPerson(stack);
  const gone = await remindedPerson(stack);
  const silent = await remindedPerson(stack, { push: slowPush });
  slowPush.respond = () => undefined;
  push.respond = ({ endpoint }, earlier) => {
    if (endpoint === gone.subscription.endpoint) return { status: 410 };
    const isBusy = endpoint === busy.subscription.endpoint && earlier < 2;
    return isBusy ? { status: earlier === 0 ? 429 : 503, headers: { 'retry-after': '1' } } : { status: 201 };
  };
  for (const { client } of [silent, gone, busy]) await makeTask(client, { title: 'Soon', ...nineThirty });
  const later = await remindedPerson(stack);
  await makeTask(later.client, { title: 'Later', dueDate: '2035-10-26', reminderTime: '09:31' });
  clock.set(halfPastSeven);
  await waitFor(() => slowPush.requests === 1, inTime('the silent push service'));
  clock.set('2035-10-26T07:31:00Z');
  await waitFor(() => titlesFor(later).length === 1, inTime('the reminder of another push service'));
  await waitFor(() => titlesFor(busy).length === 1, inTime('the third try'));
  t.deepEqual(await subscriptionsOf(gone), []);
  t.is((await subscriptionsOf(silent)).length, 1);
  t.is(slowPush.requests, 1);
  // What a push service has received is noted a moment later.
  const isNoted = async ({ person: { accountId } }: RemindedPerson) => {
    const [subscription] = await stack.sql<{ isNoted: boolean }>`
        select last_sent_at is not null as "isNoted"
        from auth.push_subscription where account_id = ${accountId}`;
    return subscription?.isNoted === true;
  };
  await waitFor(() => isNoted(busy), inTime('the note of the third try'));
  t.false(await isNoted(silent));
});

test.serial('what is due at once reaches a browser in few messages, each reminder once', async (t) => {
  const person = await remindedPerson(stack);
  const stranger = await remindedPerson(stack);
  // Four bytes each: a message has room for few.
  const titles = Array.from({ length: 20 }, (_, place) => `${place + 10} ${'🌱'.repeat(190)}`);
  for (const title of titles) await makeTask(person.client, { title, ...nineThirty });
  await makeTask(stranger.client, { title: 'Of another person', ...nineThirty });
  const before = push.requests;
  push.respond = (_, earlier) => ({ status: earlier === 0 ? 503 : 201, headers: { 'retry-after': '1' } });
  clock.set(halfPastSeven);
  await waitFor(() => titlesFor(person).length === titles.length, inTime('all reminders'));
  await allHandled(stack);
  t.deepEqual(titlesFor(person).toSorted(), titles);
  t.deepEqual(titlesFor(stranger), ['Of another person']);
  t.true(push.requests - before < titles.length, String(push.requests - before));
});

test.serial('nothing is sent to a push service whose name leads to a private address', async (t) => {
  const host = 'updates.push.services.mozilla.com';
  const subscribe = () => ({ ...push.subscribe(), endpoint: `https://${host}/wpush/v2/1` });
  const person = await remindedPerson(stack, { push: { subscribe } });
  await makeTask(person.client, { title: 'Call Ada', ...nineThirty });
  const connections: string[] = [];
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address, port) => connections.push(`${address}:${port}`));
  };
  subscribeToChannel('net.client.socket', note);
  t.teardown(() => void unsubscribe('net.client.socket', note));
  clock.set(halfPastSeven);
  const later = () =>
    stack.sql`delete from jobs.job where name = 'push' and start_after > now() returning id`;
  await waitFor(async () => (await later()).length > 0, inTime('the next try'));
  t.deepEqual([...stack.resolved], [host]);
  t.deepEqual(
    connections.filter((to) => to.endsWith(':443')),
    [],
  );
});

const reminding = { title: 'Call Ada', dueDate: '2031-01-01', reminderTime: '09:00' };
const silent = /nothing will be sent.*\/settings\/reminders/;

test('an assistant says that no reminder will be sent until its user turns them on', async (t) => {
  const present = await startStack(t, { withAuthServer: true });
  const client = await present.newClient();
  const { accountId } = client.account;
  const assistant = await connectAssistant(present.baseUrl, client.token.secret);
  const added = await assistant.call('add_tasks', { tasks: [reminding] });
  t.regex(added.text, silent);
  const [{ id } = {}] = resultsOf(added);
  t.regex((await assistant.call('get_task', { id })).text, silent);
  t.regex((await assistant.call('find_tasks', { view: 'upcoming' })).text, silent);
  const moved = await assistant.call('reschedule_tasks', { tasks: [{ id, dueDate: '2031-01-02' }] });
  t.regex(moved.text, silent);
  t.notRegex((await assistant.call('add_tasks', { tasks: [{ title: 'Without' }] })).text, silent);
  await present.sql`insert into auth.reminder_settings (account_id, by_mail) values (${accountId}, true)`;
  t.notRegex((await assistant.call('add_tasks', { tasks: [reminding] })).text, silent);
  t.notRegex((await assistant.call('find_tasks', { view: 'upcoming' })).text, silent);
});

test('an assistant is told when a reminder is set too late to be sent, and only then', async (t) => {
  const present = await startStack(t, { withAuthServer: true });
  const client = await present.newClient();
  const assistant = await connectAssistant(present.baseUrl, client.token.secret);
  const late = /, but the time of its reminder is past: it will not be sent: Call Ada/;
  const reminded = { ...reminding, dueDate: '2020-01-01' };
  const added = await assistant.call('add_tasks', { tasks: [reminded] });
  t.regex(added.text, late);
  const [{ id } = {}] = resultsOf(added);
  const reschedule = async (to: object) =>
    (await assistant.call('reschedule_tasks', { tasks: [{ id, ...to }] })).text;
  t.notRegex(await reschedule({ dueDate: '2031-01-01' }), late);
  t.regex(await reschedule({ dueDate: '2020-01-02' }), late);
  t.regex(await reschedule({ reminderTime: '10:00' }), late);
  t.notRegex(await reschedule({ clear: ['reminderTime'] }), late);
  const changed = await assistant.call('change_tasks', { changes: [{ id, title: 'Call Bea' }] });
  t.notRegex(changed.text, /is past/);
});

test('an assistant is told when the clock skips the time of a reminder, and when it is sent', async (t) => {
  const present = await startStack(t, { withAuthServer: true });
  const client = await present.newClient({ timezone: 'Europe/Berlin' });
  const assistant = await connectAssistant(present.baseUrl, client.token.secret);
  const [spring, day] = ['2031-03-30', '2031-03-31'];
  const remind = (dueDate: string) => ({ title: 'Night watch', dueDate, reminderTime: '02:30' });
  const { text } = await assistant.call('add_tasks', { tasks: [remind(spring), remind(day)] });
  const [skipped, usual] = text.split('\n');
  t.regex(skipped ?? '', /^✓ added, but clocks go forward then: its reminder is sent at 03:30: Night watch/);
  t.regex(usual ?? '', /^✓ added: Night watch/);
});
