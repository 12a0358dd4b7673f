import { mock } from 'node:test';
import { signal } from '@preact/signals';
import test from 'ava';
import { createDayClock } from '#web-app/store/day-clock.ts';

test('a page knows the new day two seconds after midnight', (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  let now = new Date('2026-11-23T23:59:59Z');
  const { today, stop } = createDayClock(signal('UTC'), () => now);
  t.teardown(stop);
  t.is(today.value, '2026-11-23');
  now = new Date('2026-11-24T00:00:00Z');
  mock.timers.tick(2000);
  t.is(today.value, '2026-11-24');
});
