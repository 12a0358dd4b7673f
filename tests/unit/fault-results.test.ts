import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { replacePart } from '#tests/support/document-part.ts';
import { keepResults } from '#tests/support/kept-results.ts';
import type { ScenarioResult } from '#tools/faults/results-file.ts';
import { resultsTable } from '#tools/faults/results-table.ts';

const environment = { machine: 'a machine', node: '26', postgresql: '18', redis: '7', loadAverage: 0.5 };

function resultOf(id: string, changes: Partial<ScenarioResult> = {}): ScenarioResult {
  const outcome = { clientsSaw: '200 × 1', lost: 'nothing', healthyAfter: '1 ms', figures: {}, misses: [] };
  const known = { id, fault: `fault ${id}`, goal: 'goal', ranAt: '2026-11-21T00:00:00.000Z', environment };
  return { ...known, state: 'reached', outcome, durationSeconds: 1, ...changes };
}

test('a result replaces the earlier one of its scenario and keeps those of others', (t) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'results-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const results = keepResults<ScenarioResult>(path.join(directory, 'made/results.json'));
  t.deepEqual(results.read(), []);
  for (const result of [resultOf('b'), resultOf('a'), resultOf('b', { state: 'missed' })]) {
    results.write([result]);
  }
  t.deepEqual(
    results.read().map(({ id, state }) => [id, state]),
    [
      ['a', 'reached'],
      ['b', 'missed'],
    ],
  );
});

test('what ran later takes the place of what was published, and only of that', (t) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'results-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const published = keepResults<ScenarioResult>(path.join(directory, 'published.json'));
  published.write([resultOf('a'), resultOf('c', { state: 'missed' })]);
  published.write([resultOf('c'), resultOf('b')]);
  t.deepEqual(
    published.read().map(({ id, state }) => [id, state]),
    [
      ['a', 'reached'],
      ['b', 'reached'],
      ['c', 'reached'],
    ],
  );
});

test('a row says what was reached, what was missed and what was not run', (t) => {
  const outcome = {
    clientsSaw: '500 × 1',
    lost: '1 lost',
    healthyAfter: '–',
    figures: {},
    misses: ['a | b'],
  };
  const { outcome: none, ...withoutOutcome } = resultOf('c', { state: 'not run', reason: 'no program' });
  t.is(none?.lost, 'nothing');
  const table = resultsTable([resultOf('a'), resultOf('b', { state: 'missed', outcome }), withoutOutcome]);
  t.deepEqual(table.split('\n').slice(2, 5), [
    '| fault a | 200 × 1 | nothing | 1 ms | reached: goal |',
    '| fault b | 500 × 1 | 1 lost | – | **missed**: a \\| b |',
    '| fault c | – | – | – | not run: no program |',
  ]);
});

test('only what stands between the markers is replaced', (t) => {
  const document = 'before\n<!-- results: begin -->\nold\n<!-- results: end -->\nafter\n';
  const replaced = replacePart(document, 'results', 'new');
  t.is(replaced, 'before\n<!-- results: begin -->\n\nnew\n\n<!-- results: end -->\nafter\n');
  t.is(replacePart(replaced, 'results', 'new'), replaced);
  t.throws(() => replacePart('no markers', 'results', 'new'));
});
