import test from 'ava';
import { createFetchQueue } from '#auth-server/clients/fetch-queue.ts';

test('a fetch that waited for its caller’s turn counts for its host like any other', async (t) => {
  const queue = createFetchQueue();
  const running: string[] = [];
  const run = (caller: string, host: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = queue.run(host, caller, async () => {
      running.push(`${caller} ${host}`);
      await promise;
    });
    const finish = (): Promise<void> => {
      resolve();
      return done;
    };
    return { finish };
  };
  const [first, second] = [run('a', 'one.example'), run('a', 'two.example')];
  const third = run('a', 'busy.example');
  await run('b', 'busy.example').finish();
  const others = [run('c', 'busy.example'), run('d', 'busy.example')];
  await first.finish();
  await second.finish();
  t.deepEqual(running.slice(3), ['c busy.example', 'd busy.example']);
  for (const other of others) await other.finish();
  await third.finish();
  t.is(running.at(-1), 'a busy.example');
});
