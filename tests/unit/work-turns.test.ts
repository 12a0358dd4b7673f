import test from 'ava';
import { createWorkTurns } from '#auth-server/accounts/work-turns.ts';

function newTurns() {
  const turns = createWorkTurns({ atOnce: 2, waiting: 1, refusal: () => new Error('refused') });
  const started: string[] = [];
  const take = (name: string, work: Promise<string>) =>
    turns.take(() => {
      started.push(name);
      return work;
    });
  return { take, started };
}

test('as much work runs as may at once, the rest waits for its turn', async (t) => {
  const { take, started } = newTurns();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const results = [
    take('first', first.promise),
    take('second', second.promise),
    take('third', Promise.resolve('third is done')),
  ];
  t.deepEqual(started, ['first', 'second']);
  second.resolve('second is done');
  t.is(await results[2], 'third is done');
  t.deepEqual(started, ['first', 'second', 'third']);
  first.resolve('first is done');
  t.deepEqual(await Promise.all(results), ['first is done', 'second is done', 'third is done']);
});

test('what would have to wait behind too much is refused without being run, and there is room again later', async (t) => {
  const { take, started } = newTurns();
  const blocking = Promise.withResolvers<string>();
  const running = ['a', 'b', 'c'].map((name) => take(name, blocking.promise));
  await t.throwsAsync(take('d', Promise.resolve('')), { message: 'refused' });
  blocking.resolve('');
  await Promise.all(running);
  t.deepEqual(started, ['a', 'b', 'c']);
  t.is(await take('e', Promise.resolve('e is done')), 'e is done');
});

test('work that fails gives its place to the next', async (t) => {
  const { take } = newTurns();
  const failures = ['a', 'b', 'c'].map((name) => take(name, Promise.reject(new Error(name))));
  t.deepEqual(
    (await Promise.allSettled(failures)).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  const blocking = Promise.withResolvers<string>();
  const running = [take('d', blocking.promise), take('e', blocking.promise)];
  const waiting = take('f', Promise.resolve(''));
  await t.throwsAsync(take('g', Promise.resolve('')), { message: 'refused' });
  blocking.resolve('');
  await Promise.all([...running, waiting]);
  t.pass();
});
