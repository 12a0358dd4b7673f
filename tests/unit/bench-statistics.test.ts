import test from 'ava';
import { judgeSamples, stateOf } from '#tools/bench/bench-case.ts';
import { createResponseReader } from '#tools/bench/load.ts';
import { estimateOf } from '#tools/bench/statistics.ts';

test('an estimate is the median, with an interval that the spread between starts widens', (t) => {
  const alike = estimateOf([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  const different = estimateOf([
    [1, 1, 1],
    [3, 3, 3],
  ]);
  t.is(alike.median, 2);
  t.deepEqual([different.low, different.high], [1, 3]);
});

test('a goal is reached or missed by the whole interval, and else undecided', (t) => {
  const estimate = { median: 1, low: 0.9, high: 1.1 };
  t.is(stateOf(estimate, { atMost: 1.1 }), 'reached');
  t.is(stateOf(estimate, { atLeast: 1.2 }), 'missed');
  t.is(stateOf(estimate, { atMost: 1 }), 'undecided');
  t.like(judgeSamples([[2]], { what: 'x', bound: { atMost: 1 }, unit: 'ms' }), {
    goal: '≤ 1 ms',
    state: 'missed',
  });
});

test('responses are read wherever the bytes are split', (t) => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 204 No Content\r\n\r\n');
  for (let split = 1; split < 41; split += 1) {
    const read: [number, string][] = [];
    const reader = createResponseReader(true, ({ status, body }) => read.push([status, String(body)]));
    reader(bytes.subarray(0, split));
    reader(bytes.subarray(split, 41));
    reader(bytes.subarray(41));
    t.deepEqual(read, [
      [200, 'abc'],
      [204, ''],
    ]);
  }
});
