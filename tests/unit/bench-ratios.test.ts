import test from 'ava';
import { estimateOf } from '#tools/bench/estimate.ts';
import { type Block, interleave, measureInStarts } from '#tools/bench/measure/interleave.ts';
import { compareProcessorTime, compareRates, tellRates } from '#tools/bench/report/compare-rounds.ts';
import { figure, judgeRatios, judgeSamples, stateOf } from '#tools/bench/report/finding.ts';

function blockOf(requests: number, serverMilliseconds: number, busy = 1): Block {
  const processor = { server: serverMilliseconds, database: 0.5, redis: 0.1, client: 0 };
  return { requests, milliseconds: 1_000, processor, busy };
}

const told = { id: 'a', what: 'a', goal: 'goal' };

test('the interval of equal ratios is that ratio', (t) => {
  t.deepEqual(estimateOf([[2, 2, 2, 2]]), { median: 2, low: 2, high: 2, values: 4 });
});

test('the median of an even number of ratios lies between the two in the middle, and inside its interval', (t) => {
  const { median, low, high } = estimateOf([[1, 2, 3, 100]]);
  t.is(median, 2.5);
  t.true(low < median && median < high);
});

test('what differs from one start to the next widens the interval as far as they do', (t) => {
  const starts = [0.9, 1, 1.1, 1.2].map((ratio) => [ratio, ratio, ratio]);
  const { median, low, high } = estimateOf(starts);
  t.is(median, 1.05);
  t.is(low, 0.9);
  t.is(high, 1.2);
  const ofOneStart = estimateOf([starts.flat()]);
  t.true(ofOneStart.low > low);
  t.true(ofOneStart.high < high);
});

test('the interval of three values is their range', (t) => {
  t.deepEqual(estimateOf([[3], [1], [2]]), { median: 2, low: 1, high: 3, values: 3 });
});

test('a goal is reached, missed or not decided by both ends of the interval', (t) => {
  const ratio = (low: number, high: number) => ({ median: (low + high) / 2, low, high, values: 10 });
  t.is(stateOf(ratio(1, 1.2), { atLeast: 1 }), 'reached');
  t.is(stateOf(ratio(0.9, 1.2), { atLeast: 1 }), 'open');
  t.is(stateOf(ratio(0.8, 0.99), { atLeast: 1 }), 'missed');
  t.is(stateOf(ratio(0.9, 1.1), { atMost: 1.1 }), 'reached');
  t.is(stateOf(ratio(0.9, 1.2), { atMost: 1.1 }), 'open');
  t.is(stateOf(ratio(1.11, 1.2), { atMost: 1.1 }), 'missed');
});

const compared = { ...told, ours: 'ours', reference: 'theirs' } as const;

test('a least ratio is one of rates, a greatest one is one of times', (t) => {
  const rounds = [[{ ours: blockOf(200, 2), theirs: blockOf(100, 1) }]];
  t.is(compareRates(rounds, { ...compared, bound: { atLeast: 1 } }).estimate?.median, 2);
  t.is(compareRates(rounds, { ...compared, bound: { atMost: 1 } }).estimate?.median, 0.5);
  const processor = compareProcessorTime(rounds, { ...compared, bound: { atMost: 1 } });
  t.is(processor.estimate?.median, 2);
  t.deepEqual(processor.processor, { ours: 2, reference: 1 });
});

test('what was measured says both ratios, how busy the servers were, and what the stores needed for ours', (t) => {
  const rounds = [[{ ours: blockOf(50, 2, 0.95), theirs: blockOf(100, 1, 0.99) }]];
  const { ratios, busy, stores, state, note } = compareRates(rounds, { ...compared, bound: { atLeast: 1 } });
  t.deepEqual([ratios?.rates.median, ratios?.processorTimes.median], [0.5, 0.5]);
  t.deepEqual(busy, { ours: 0.95, reference: 0.99 });
  t.deepEqual(stores, { database: 0.5, redis: 0.1 });
  t.deepEqual([state, note], ['missed', undefined]);
});

test('where one of the servers was not busy the outcome follows from processor times, and says whose', (t) => {
  const rounds = [[{ ours: blockOf(100, 2, 1), theirs: blockOf(100, 1, 0.5) }]];
  const judged = compareRates(rounds, { ...compared, bound: { atLeast: 0.8 } });
  t.deepEqual([judged.state, judged.estimate?.median, judged.ratios?.rates.median], ['missed', 0.5, 1]);
  t.is(judged.note, 'by processor time: the reference was not busy');
  const both = [[{ ours: blockOf(100, 1, 0.8), theirs: blockOf(100, 2, 0.5) }]];
  const time = compareRates(both, { ...compared, note: 'a', bound: { atMost: 0.5 } });
  t.deepEqual([time.state, time.estimate?.median], ['reached', 0.5]);
  t.is(time.note, 'a; by processor time: ours and the reference were not busy');
});

test('a reference that only drives a store is judged by its rate, however little it does itself', (t) => {
  const rounds = [[{ ours: blockOf(100, 2, 1), theirs: blockOf(200, 0.1, 0.3) }]];
  const options = { ...compared, bound: { atLeast: 0.7 }, referenceMeasures: 'store' } as const;
  const { state, estimate, note, ...judged } = compareRates(rounds, options);
  t.deepEqual([state, estimate?.median, note], ['missed', 0.5, undefined]);
  t.false('referenceMeasures' in judged);
});

test('what is told for information has its interval and no goal', (t) => {
  const rounds = [[{ ours: blockOf(300, 1), theirs: blockOf(100, 3) }]];
  const { state, bound, goal, measured } = tellRates(rounds, { ...compared });
  t.deepEqual([state, bound, goal, measured], ['told', undefined, 'none', '3.00 (3.00 to 3.00)']);
});

test('what is counted has no interval, and what is measured several times has one', (t) => {
  const counted = figure({ ...told, bound: { atMost: 2 }, value: 3, unit: 'trips' });
  t.deepEqual([counted.measured, counted.state, counted.estimate], ['3 trips', 'missed', undefined]);
  t.is(judgeRatios([[1, 1]], { ...told, bound: { atMost: 2 } }).measured, '1.00 (1.00 to 1.00)');
  const samples = [[3.9], [3.99], [4.2]];
  const measured = judgeSamples({ ...told, bound: { atMost: 4 }, samples, unit: 's' });
  t.deepEqual([measured.measured, measured.state], ['3.99 s (3.90 to 4.20)', 'open']);
});

const shape = {
  starts: 2,
  roundsPerStart: 3,
  blockMilliseconds: 1,
  warmUpRequests: 20,
  longestWarmUpMilliseconds: 60_000,
  report: () => undefined,
};

test('contenders take turns, forwards and backwards, after each has been started and has warmed up', async (t) => {
  const order: string[] = [];
  const contenderOf = (name: 'a' | 'b') => ({
    name,
    run: async () => {
      order.push(name);
      return blockOf(10, 1);
    },
  });
  const starts = await interleave(
    async (parts) => {
      order.push('(');
      parts.defer(() => void order.push(')'));
      return [contenderOf('a'), contenderOf('b')];
    },
    { ...shape, signal: new AbortController().signal },
  );
  t.is(order.join(''), '(aabb' + 'ab' + 'ba' + 'ab)' + '(aabb' + 'ba' + 'ab' + 'ba)');
  t.deepEqual(
    starts.map((rounds) => rounds.length),
    [3, 3],
  );
});

test('a measurement that is stopped closes what it has started and starts nothing more', async (t) => {
  const stopping = new AbortController();
  const seen: string[] = [];
  const measuring = measureInStarts(
    async (parts) => {
      parts.defer(() => void seen.push('closed'));
      return async (number) => {
        seen.push(`round ${number}`);
        if (number === 1) stopping.abort();
      };
    },
    { ...shape, signal: stopping.signal },
  );
  await t.throwsAsync(measuring, { name: 'AbortError' });
  t.deepEqual(seen, ['round 0', 'round 1', 'closed']);
});
