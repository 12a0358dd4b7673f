import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { readPart, replacePart } from '#tests/support/document-part.ts';
import { functionIn, ownerOf, timeShares } from '#tools/bench/measure/cpu-profile.ts';
import { capacityTable } from '#tools/bench/report/capacity-table.ts';
import type { Finding } from '#tools/bench/report/finding.ts';
import { selectPublishable } from '#tools/bench/report/publish-results.ts';
import { drawChart } from '#tools/bench/report/results-chart.ts';
import type { CaseResult } from '#tools/bench/report/results-file.ts';
import { resultsTable, sharesTable } from '#tools/bench/report/results-table.ts';
import { timeGroups } from '#tools/bench/report/time-groups.ts';

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
  const estimateAt = (median: number) => ({ median, low: median, high: median, values: 1 });
  const findings = [
    findingOf('reached', {
      processor: { ours: 1, reference: 2 },
      busy: { ours: 0.98, reference: 0.6 },
      ratios: { rates: estimateAt(3), processorTimes: estimateAt(2) },
    }),
    findingOf('missed', { note: 'a | b' }),
    findingOf('open'),
  ];
  const table = resultsTable([resultOf('one', findings), resultOf('two', [], { failure: 'no program' })]);
  t.deepEqual(table.split('\n').slice(2, 6), [
    '| a <reached> | ≥ 1 | 3.00 (3.00 to 3.00) | 2.00 (2.00 to 2.00) | 1.00, 2.00 | 0.98, 0.60 | reached |',
    '| a <missed> | ≥ 1 | 1 |  |  |  | **missed**; a \\| b |',
    '| a <open> | ≥ 1 | 1 |  |  |  | not decided |',
    '| case two | goal |  |  |  |  | not measured: no program |',
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
  const estimate = { median, low: median, high: median, values: 1 };
  const chart = drawChart([resultOf('one', [findingOf('reached', { bound, estimate })])]);
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
  const estimate = { median: 1e-6, low: 0, high: 1e6, values: 1 };
  const chart = drawChart([resultOf('one', [findingOf('missed', { estimate }), findingOf('open')])]);
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

test('owners are packages and files of ours', (t) => {
  const scoped = frame('a', 'file:///x/node_modules/@mikro-orm/core/index.js');
  t.is(ownerOf(scoped), '@mikro-orm/core');
  t.is(
    ownerOf(frame('a', 'file:///x/services/resource-api/src/http/page.ts')),
    'services/resource-api/src/http/page',
  );
  t.is(ownerOf(frame('(garbage collector)')), '(garbage collector)');
  t.is(ownerOf(frame('a', 'node:net')), undefined);
  t.is(functionIn(frame('a', 'file:///x/shared/time/clock.ts')), 'a shared/time/clock.ts:1');
});

test('every owner has a group: Node itself too, and packages nobody thought of', (t) => {
  const files = [
    'node_modules/pg/lib/query.js',
    'node_modules/ioredis/built/Redis.js',
    'node_modules/router/index.js',
    'shared/http/send-json.ts',
    'services/resource-api/src/http/mount-routes.ts',
    'services/resource-api/src/http/cursor.ts',
    'shared/time/calendar-date.ts',
    'services/resource-api/src/auth/known-tokens.ts',
    'services/resource-api/src/auth/bearer-token.ts',
    'services/resource-api/src/tasks/task-texts.ts',
    'shared/metrics/http-metrics.ts',
    'shared/http/cors.ts',
    'node_modules/nobody-thought-of/index.js',
  ].map((file) => `file:///x/${file}`);
  const urls = [...files, 'node:net'];
  const profile = {
    nodes: urls.map((url, id) => ({ id, callFrame: frame('a', url) })),
    samples: [...urls.keys()],
    timeDeltas: [...urls.keys()].map((index) => urls.length - index),
  };
  t.deepEqual(
    timeGroups(profile, 0).map(({ name }) => name),
    [
      'statements: sending them, reading rows',
      'rate limits',
      'Express and its router',
      'the answer: head and bytes to the socket',
      'the answer: objects to JSON',
      'the cursor, mostly its HMAC',
      'the account’s date',
      'tokens already known',
      'the token otherwise',
      'rows to objects',
      'metrics',
      'our middleware, and everything else of ours',
      'other packages',
      'Node: sockets, HTTP, promises, timers',
    ],
  );
});

test('only whole measurements are published, and what is left out is named', (t) => {
  const whole = resultOf('whole', [findingOf('reached')]);
  const quick = resultOf('quick', [findingOf('reached')], { isQuick: true });
  const failed = resultOf('failed', [], { failure: 'no program' });
  t.deepEqual(selectPublishable([whole, quick, failed]), {
    publishable: [whole],
    leftOut: ['left out: quick, short blocks (--quick)', 'left out: failed, could not be measured'],
  });
});

test('what a request takes of each process is told from the results, and what is not known is said', (t) => {
  const measured = findingOf('told', {
    id: 'bare-server',
    processor: { ours: 0.314, reference: 0.1 },
    stores: { database: 0.123, redis: 1.26 },
  });
  const lines = capacityTable([resultOf('identity', [measured])]).split('\n');
  t.is(lines[2], '| `/me` | 0.31 | 0.12 | 1.3 |');
  t.is(lines[3], '| one task | not measured | not measured | not measured |');
});

test('the documents have a place for each table of results', (t) => {
  const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../../docs', name), 'utf8');
  for (const [name, part] of [
    ['performance.md', 'results'],
    ['performance.md', 'shares'],
    ['operating.md', 'capacity'],
  ] as const)
    t.not(readPart(read(name), part), '', `${name} ${part}`);
});

test('what a whole is made of has a table of its own', (t) => {
  const whole = findingOf('told', { shares: [{ name: 'a', share: 0.756, microseconds: 81.4 }] });
  const results = [resultOf('one', [whole, findingOf('reached')])];
  t.is(
    sharesTable(results),
    '| a <told> | share | µs a request |\n| --- | ---: | ---: |\n| a | 75.6 % | 81 |',
  );
  t.false(resultsTable(results).includes('<told>'));
});

test('a part of a document is replaced, the rest stays', (t) => {
  const document = 'a <!-- x: begin -->old<!-- x: end --> b';
  const replaced = replacePart(document, 'x', 'new');
  t.is(replaced, 'a <!-- x: begin -->\n\nnew\n\n<!-- x: end --> b');
  t.is(replacePart(replaced, 'x', 'new'), replaced);
  t.throws(() => replacePart(document, 'y', 'new'), { message: /lacks/ });
});
