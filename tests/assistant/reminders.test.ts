import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { connectAssistant } from './assistant-client.ts';
import { resultsOf } from './desk.ts';

const stack = await startStack(test, { withAuthServer: true });
const reminding = { title: 'Call Ada', dueDate: '2031-01-01', reminderTime: '09:00' };
const silent = /nothing will be sent.*\/settings\/reminders/;

test('an assistant says that a reminder reaches nobody until its person has turned reminders on', async (t) => {
  const client = await stack.newClient();
  const { accountId } = client.account;
  const assistant = await connectAssistant(stack.baseUrl, client.token.secret);
  const added = await assistant.call('add_tasks', { tasks: [reminding] });
  t.regex(added.text, silent);
  const [{ id } = {}] = resultsOf(added);
  t.regex((await assistant.call('get_task', { id })).text, silent);
  t.notRegex((await assistant.call('add_tasks', { tasks: [{ title: 'Without' }] })).text, silent);
  await stack.sql`insert into auth.reminder_settings (account_id, by_mail) values (${accountId}, true)`;
  t.notRegex((await assistant.call('add_tasks', { tasks: [reminding] })).text, silent);
});

test('an assistant is told when a reminder is set too late to be sent, and only then', async (t) => {
  const client = await stack.newClient();
  const assistant = await connectAssistant(stack.baseUrl, client.token.secret);
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
