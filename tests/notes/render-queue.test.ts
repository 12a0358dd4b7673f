import test from 'ava';
import { createRenderQueue, type RenderJob } from '#resource-api/notes/render-queue.ts';

const job = (markdown: string): RenderJob => ({ markdown, wantedAt: 0, settle: () => {} });
const long = 'x'.repeat(2_001);

test('short notes go before long ones, and alike ones in turn', (t) => {
  const queue = createRenderQueue(10);
  const jobs = ['bb', 'a', 'cc', long].map(job);
  for (const each of jobs) queue.add(each);

  const order = [1, 2, 3, 4].map(() => queue.take(true));

  t.deepEqual(order, [jobs[1], jobs[0], jobs[2], jobs[3]]);
  t.is(queue.take(true), undefined);
});

test('long notes stay where they are while only short ones are asked for', (t) => {
  const queue = createRenderQueue(10);
  queue.add(job(long));
  t.is(queue.take(false), undefined);
  t.is(queue.size(), 1);
});

test('a full queue hands back the longest, be it the newest', (t) => {
  const queue = createRenderQueue(1);
  const [first, longer, shorter] = ['bb', 'ccc', 'a'].map(job) as [RenderJob, RenderJob, RenderJob];
  t.is(queue.add(first), undefined);
  t.is(queue.add(longer), longer);
  t.is(queue.add(shorter), first);
});

test('a job taken out is not handed on', (t) => {
  const queue = createRenderQueue(10);
  const [first, second] = ['a', 'b'].map(job) as [RenderJob, RenderJob];
  queue.add(first);
  queue.add(second);
  queue.remove(first);
  t.deepEqual(queue.clear(), [second]);
  t.is(queue.size(), 0);
});
