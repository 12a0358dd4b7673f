import test from 'ava';
import { type Block, interleave } from '../../bench/measure/interleave.ts';
import { ratioOf } from '../../bench/paired-ratio.ts';
import {
  compareProcessorTime,
  compareRates,
  figure,
  judgeRatios,
  stateOf,
} from '../../bench/report/finding.ts';

function blockOf(requests: number, serverMilliseconds: number): Block {
  const processor = { server: serverMilliseconds, database: 0, redis: 0, client: 0 };
  return { requests, milliseconds: 1_000, processor, busy: 1 };
}

const told = { id: 'a', what: 'a', goal: 'goal' };

test('the interval of equal ratios is that ratio', (t) => {
  t.deepEqual(ratioOf([2, 2, 2, 2]), { median: 2, low: 2, high: 2, pairs: 4 });
});

test('the median of an even number of ratios lies between the two in the middle, and inside its interval', (t) => {
  const { median, low, high } = ratioOf([1, 2, 3, 100]);
  t.is(median, 2.5);
  t.true(low < median && median < high);
});

test('a goal is reached, missed or not decided by both ends of the interval', (t) => {
  const ratio = (low: number, high: number) => ({ median: (low + high) / 2, low, high, pairs: 10 });
  t.is(stateOf(ratio(1, 1.2), { atLeast: 1 }), 'reached');
  t.is(stateOf(ratio(0.9, 1.2), { atLeast: 1 }), 'open');
  t.is(stateOf(ratio(0.8, 0.99), { atLeast: 1 }), 'missed');
  t.is(stateOf(ratio(0.9, 1.1), { atMost: 1.1 }), 'reached');
  t.is(stateOf(ratio(0.9, 1.2), { atMost: 1.1 }), 'open');
  t.is(stateOf(ratio(1.11, 1.2), { atMost: 1.1 }), 'missed');
});

test('a least ratio is one of rates, a greatest one is one of times', (t) => {
  const rounds = [{ ours: blockOf(200, 2), theirs: blockOf(100, 1) }];
  const compared = { ...told, ours: 'ours', reference: 'theirs' } as const;
  t.is(compareRates(rounds, { ...compared, bound: { atLeast: 1 } }).ratio?.median, 2);
  t.is(compareRates(rounds, { ...compared, bound: { atMost: 1 } }).ratio?.median, 0.5);
  const processor = compareProcessorTime(rounds, { ...compared, bound: { atMost: 1 } });
  t.is(processor.ratio?.median, 2);
  t.deepEqual(processor.processor, { ours: 2, reference: 1 });
});

test('what is counted once has no interval', (t) => {
  const counted = figure({ ...told, bound: { atMost: 2 }, value: 3, unit: 'trips' });
  t.deepEqual([counted.measured, counted.state, counted.ratio], ['3 trips', 'missed', undefined]);
  t.is(judgeRatios([1, 1], { ...told, bound: { atMost: 2 } }).measured, '1.00 (1.00 to 1.00)');
});

test('contenders take turns, forwards and backwards, after each has warmed up', async (t) => {
  const order: string[] = [];
  const contenderOf = (name: 'a' | 'b') => ({
    name,
    run: async () => {
      order.push(name);
      return blockOf(10, 1);
    },
  });
  const rounds = await interleave([contenderOf('a'), contenderOf('b')], {
    rounds: 3,
    blockMilliseconds: 1,
    warmUpRequests: 20,
    longestWarmUpMilliseconds: 60_000,
    report: () => undefined,
  });
  t.is(order.join(''), 'aabb' + 'ab' + 'ba' + 'ab');
  t.is(rounds.length, 3);
});
