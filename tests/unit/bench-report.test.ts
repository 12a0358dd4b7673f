import test from 'ava';
import { replacePart } from '#tests/support/document-part.ts';
import { functionIn, ownerOf, timeShares } from '../../bench/measure/cpu-profile.ts';
import type { Finding } from '../../bench/report/finding.ts';
import { drawChart } from '../../bench/report/results-chart.ts';
import type { CaseResult } from '../../bench/report/results-file.ts';
import { resultsTable, sharesTable } from '../../bench/report/results-table.ts';
import { timeGroups } from '../../bench/report/time-groups.ts';

const environment = { machine: 'a machine', node: '26', postgresql: '18', redis: '7', loadAverage: 0.5 };

function resultOf(id: string, findings: readonly Finding[], changes: Partial<CaseResult> = {}): CaseResult {
  const measured = { ranAt: '2026-11-21T00:00:00.000Z', durationSeconds: 1, isQuick: false, isPinned: true };
  return { id, what: `case ${id}`, goal: 'goal', findings, environment, ...measured, ...changes };
}

function findingOf(state: Finding['state'], changes: Partial<Finding> = {}): Finding {
  return {
    id: state,
    what: `a <${state}>`,
    goal: '≥ 1',
    bound: { atLeast: 1 },
    measured: '1',
    state,
    ...changes,
  };
}

test('a row says what was reached, what was missed, what is not decided and what was not measured', (t) => {
  const findings = [
    findingOf('reached', { processor: { ours: 1, reference: 2 } }),
    findingOf('missed', { note: 'a | b' }),
    findingOf('open'),
  ];
  const table = resultsTable([resultOf('one', findings), resultOf('two', [], { failure: 'no program' })]);
  t.deepEqual(table.split('\n').slice(2, 6), [
    '| a <reached> | ≥ 1 | 1 | 1.00, 2.00 | reached |',
    '| a <missed> | ≥ 1 | 1 |  | **missed**; a \\| b |',
    '| a <open> | ≥ 1 | 1 |  | not decided |',
    '| case two | goal |  |  | not measured: no program |',
  ]);
  t.regex(
    table,
    /Measured on 2026-11-21: a machine; Node 26, .*; load average before a case 0\.5 to 0\.5\.$/,
  );
});

test('results that were measured in different manners are told apart', (t) => {
  const table = resultsTable([resultOf('one', []), resultOf('two', [], { isQuick: true })]);
  const lines = table.split('\n').filter((line) => line.startsWith('Measured'));
  t.is(lines.length, 2);
  t.regex(lines[1] ?? '', /short blocks.*: two\.$/);
});

test('what a hypervisor gave to others is told where it was noted', (t) => {
  const told = resultsTable([
    resultOf('one', [], { stolenShare: 0.004 }),
    resultOf('two', [], { stolenShare: 0.21 }),
    resultOf('three', []),
  ]);
  t.regex(told, /gave 0\.4 to 21\.0 % to others during a case \(noted for 2 of 3\)\.$/);
  t.notRegex(resultsTable([resultOf('three', [])]), /hypervisor/);
});

/** Where the mark of the only row stands, and where the goal's line does. */
function placesOf(bound: Finding['bound'], median: number): { mark: number; goal: number } {
  const ratio = { median, low: median, high: median, pairs: 1 };
  const chart = drawChart([resultOf('one', [findingOf('reached', { bound, ratio })])]);
  return {
    mark: Number(/<circle cx="([\d.]+)"/.exec(chart)?.[1]),
    goal: Number(/<text x="([\d.]+)" y="16" text-anchor="middle"[^>]*>goal/.exec(chart)?.[1]),
  };
}

test('the chart shows what is better than its goal on the right of it, whatever the goal bounds', (t) => {
  const isBetter = (bound: Finding['bound'], median: number) => {
    const { mark, goal } = placesOf(bound, median);
    return mark > goal;
  };
  t.true(isBetter({ atLeast: 5 }, 6));
  t.false(isBetter({ atLeast: 5 }, 4));
  t.true(isBetter({ atMost: 1.1 }, 1));
  t.false(isBetter({ atMost: 1.1 }, 1.2));
  t.is(placesOf({ atLeast: 5 }, 5).mark, placesOf({ atMost: 2 }, 2).goal);
});

test('the chart is well-formed, leaves out what has no interval, and stays inside its frame', (t) => {
  const ratio = { median: 1e-6, low: 0, high: 1e6, pairs: 1 };
  const chart = drawChart([resultOf('one', [findingOf('missed', { ratio }), findingOf('open')])]);
  t.true(chart.includes('a &lt;missed&gt;'));
  t.false(chart.includes('a &lt;open&gt;'));
  for (const [, x] of chart.matchAll(/ (?:x|x1|x2|cx)="(-?[\d.]+)"/g))
    t.true(Number(x) >= 0 && Number(x) <= 940, x);
});

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0 });

test('time counts for the nearest function that has a name, without idleness and without the first seconds', (t) => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 5] },
      { id: 2, callFrame: frame('send', 'file:///a/node_modules/express/lib/response.js'), children: [3] },
      { id: 3, callFrame: frame('write', 'node:net'), children: [4] },
      { id: 4, callFrame: frame('writev') },
      { id: 5, callFrame: frame('(idle)') },
    ],
    samples: [2, 4, 5, 2],
    timeDeltas: [100, 30, 1_000, 10],
  };
  t.deepEqual(timeShares(profile, 0, ownerOf), [{ name: 'express', share: 1 }]);
  t.deepEqual(
    timeShares(profile, 101, ({ functionName }) => functionName),
    [
      { name: 'writev', share: 30 / 40 },
      { name: 'send', share: 10 / 40 },
    ],
  );
  t.deepEqual(
    timeShares(profile, 0, ({ functionName }) => functionName),
    [
      { name: 'send', share: 110 / 140 },
      { name: 'writev', share: 30 / 140 },
    ],
  );
});

test('owners are packages and folders of ours', (t) => {
  const scoped = frame('a', 'file:///x/node_modules/@mikro-orm/core/index.js');
  t.is(ownerOf(scoped), '@mikro-orm/core');
  t.is(
    ownerOf(frame('a', 'file:///x/services/resource-api/src/http/page.ts')),
    'services/resource-api/src/http',
  );
  t.is(ownerOf(frame('(garbage collector)')), '(garbage collector)');
  t.is(ownerOf(frame('a', 'node:net')), undefined);
  t.is(functionIn(frame('a', 'file:///x/shared/time/clock.ts')), 'a shared/time/clock.ts:1');
});

test('every owner has a group: Node itself too, and packages nobody thought of', (t) => {
  const urls = ['pg/lib/query.js', 'ioredis/built/Redis.js', 'router/index.js'].map(
    (file) => `file:///x/node_modules/${file}`,
  );
  const profile = {
    nodes: [...urls, 'file:///x/shared/metrics/http-metrics.ts', 'node:net'].map((url, id) => ({
      id,
      callFrame: frame('a', url),
    })),
    samples: [0, 1, 2, 3, 4],
    timeDeltas: [5, 4, 3, 2, 1],
  };
  t.deepEqual(
    timeGroups(profile, 0).map(({ name }) => name),
    [
      'statements: sending them, reading rows',
      'rate limits',
      'Express, our middleware, writing JSON',
      'metrics',
      'Node: sockets, HTTP, promises',
    ],
  );
});

test('what a whole is made of has a table of its own', (t) => {
  const whole = findingOf('told', { shares: [{ name: 'a', share: 0.756 }] });
  const results = [resultOf('one', [whole, findingOf('reached')])];
  t.is(sharesTable(results), '| a <told> | share |\n| --- | ---: |\n| a | 76 % |');
  t.false(resultsTable(results).includes('<told>'));
});

test('a part of a document is replaced, the rest stays', (t) => {
  const document = 'a <!-- x: begin -->old<!-- x: end --> b';
  const replaced = replacePart(document, 'x', 'new');
  t.is(replaced, 'a <!-- x: begin -->\n\nnew\n\n<!-- x: end --> b');
  t.is(replacePart(replaced, 'x', 'new'), replaced);
  t.throws(() => replacePart(document, 'y', 'new'), { message: /lacks/ });
});
