import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { holdAccount } from '../idempotency/hold-account.ts';

test('a write that waits while its account is suspended is refused', async (t) => {
  // Of its own: others that wait for an account would be taken for this one.
  const stack = await startStack(t, { own: true });
  const client = await stack.newClient();
  const held = await holdAccount(t, stack, client);
  const write = client.post('/projects', { title: 'Late' });
  await held.untilAwaited();
  await stack.setStatus(client.account, 'suspended');
  await held.release();
  // 503: the lock was held for longer than a write waits for it.
  t.true([423, 503].includes((await write).status));
});
