import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { replacePart } from '#tests/support/document-part.ts';
import { findScenarios } from './find-scenarios.ts';
import { type MeasuredEnvironment, readMeasuredEnvironment } from './measured-environment.ts';
import { latestResults, publishedResults, resultsFile, type ScenarioResult } from './results-file.ts';
import { resultsTable } from './results-table.ts';
import type { Scenario } from './scenario.ts';
import { runInOwnProcess, type ScenarioEnd } from './scenario-process.ts';

const help = `npm run test:faults [-- [options] [id …]]

Brings faults about, one after the other, and tells what clients saw. Without ids: all of them.

  --list        the scenarios and their goals
  --write-docs  puts what has run here, test-output/faults/results.json, into the table of docs/reliability.md; alone,
                runs nothing
  --help        this

Exit code 1 when a goal is missed.
`;
const limitMinutes = 15;
const documentFile = path.join(import.meta.dirname, '../../docs/reliability.md');

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort(signal));

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean' },
      help: { type: 'boolean' },
      'write-docs': { type: 'boolean' },
    },
  });
  if (values.help) return say(help);
  const scenarios = await findScenarios();
  if (values.list)
    return say(scenarios.map(({ id, fault, goal }) => `${id}\n  ${fault}\n  ${goal}\n`).join(''));
  const unknown = positionals.filter((id) => !scenarios.some((scenario) => scenario.id === id));
  if (unknown.length > 0) {
    say(`there is no scenario ${unknown.join(', ')}; --list names them\n`);
    return 2;
  }
  const onlyWrites = values['write-docs'] === true && positionals.length === 0;
  const isChosen = ({ id }: Scenario) => positionals.length === 0 || positionals.includes(id);
  const results = onlyWrites ? [] : await runAll(scenarios.filter(isChosen));
  if (values['write-docs']) writeDocument();
  if (results.length > 0)
    say(`\n${resultsTable(results)}\n\n${path.relative('.', resultsFile)} is written\n`);
  return interruption.signal.aborted || results.some(({ state }) => state === 'missed') ? 1 : 0;
}

async function runAll(scenarios: readonly Scenario[]): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    if (interruption.signal.aborted) break;
    say(`\n${index + 1}/${scenarios.length} ${scenario.id}: ${scenario.fault}\n`);
    const startedAt = new Date();
    const environment = readMeasuredEnvironment();
    const end = await runInOwnProcess(scenario.id, {
      limitMilliseconds: (scenario.limitMinutes ?? limitMinutes) * 60_000,
      signal: interruption.signal,
      report: (line) => say(`  ${line}\n`),
    });
    if (interruption.signal.aborted) break;
    const result = toResult(scenario, { startedAt, environment }, end);
    latestResults.write([result]);
    results.push(result);
    say(`  ${result.state}${result.reason === undefined ? '' : `: ${result.reason}`}\n`);
    for (const miss of result.outcome?.misses ?? []) say(`  missed: ${miss}\n`);
    for (const [name, value] of Object.entries(result.outcome?.figures ?? {})) say(`    ${name}: ${value}\n`);
  }
  return results;
}

type Beginning = { startedAt: Date; environment: MeasuredEnvironment };

function toResult(
  { id, fault, goal }: Scenario,
  { startedAt, environment }: Beginning,
  end: ScenarioEnd,
): ScenarioResult {
  const durationSeconds = Math.round((Date.now() - startedAt.getTime()) / 100) / 10;
  const known = { id, fault, goal, ranAt: startedAt.toISOString(), durationSeconds, environment };
  switch (end.kind) {
    case 'outcome':
      return {
        ...known,
        state: end.outcome.misses.length === 0 ? 'reached' : 'missed',
        outcome: end.outcome,
      };
    case 'not run':
      return { ...known, state: 'not run', reason: end.reason };
    case 'failed': {
      const misses = [`the trial itself failed: ${end.reason}`];
      const outcome = { clientsSaw: '–', lost: 'not known', healthyAfter: '–', figures: {}, misses };
      return { ...known, state: 'missed', outcome };
    }
  }
}

function writeDocument(): void {
  publishedResults.write(latestResults.read());
  const table = resultsTable(publishedResults.read());
  writeFileSync(documentFile, replacePart(readFileSync(documentFile, 'utf8'), 'results', table));
  say(`\n${path.relative('.', documentFile)} is written\n`);
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}
