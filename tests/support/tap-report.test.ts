import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { closingLine, createTapReport } from './tap-report.ts';

const output = `TAP version 13
ok 1 - tasks › a task is made
#   # pass 99
#   1..99
not ok 2 - tasks › a task is found # not
  ---
    name: AssertionError
  ...
ok 3 - tasks › another day # SKIP
not ok 4 - tasks › some day # TODO
not ok 5 - Error: the process broke
# tasks › after.always hook

1..4
# tests 3
# pass 1
# skip 1
# fail 3
`;

function read(text: string) {
  const report = createTapReport();
  const shown = text.split('\n').flatMap((line) => report.push(line) ?? []);
  return { report, shown: shown.map(stripVTControlCharacters) };
}

test('the totals are ava’s own, whatever tests log', (t) => {
  t.deepEqual(read(output).report.counts(), { passed: 1, failed: 3, skipped: 1 });
});

test('results are shown with what ava says of failures', (t) => {
  const { report, shown } = read(output);
  t.deepEqual(shown, [
    '✔ tasks › a task is made',
    '#   # pass 99',
    '#   1..99',
    '✘ tasks › a task is found # not',
    '  ---',
    '    name: AssertionError',
    '  ...',
    '- tasks › another day # skip',
    '- tasks › some day # todo',
    '✘ Error: the process broke',
  ]);
  t.deepEqual(report.failures(), ['tasks › a task is found # not', 'Error: the process broke']);
});

test('a run that broke off has no totals', (t) => {
  t.is(read(output.slice(0, output.indexOf('\n1..4'))).report.counts(), undefined);
});

test('the closing line states the numbers, and no success when ava failed', (t) => {
  t.is(closingLine({ passed: 12, failed: 0, skipped: 0 }, 0), '12 passed, 0 failed');
  t.is(closingLine({ passed: 12, failed: 3, skipped: 1 }, 1), '12 passed, 3 failed, 1 skipped');
  t.is(closingLine({ passed: 12, failed: 0, skipped: 0 }, 1), '12 passed, 1 failed');
  t.is(closingLine(undefined, 1), '0 passed, 1 failed');
});
