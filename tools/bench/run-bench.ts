import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type MeasuredEnvironment, readMeasuredEnvironment } from '#tools/faults/measured-environment.ts';
import { findCases } from './find-cases.ts';
import { canPin, cores, pinProcess } from './measure/pin-process.ts';
import { readMachineTime, stolenShareSince } from './measure/stolen-time.ts';
import type { BenchCase } from './report/bench-case.ts';
import { publishResults } from './report/publish-results.ts';
import { type CaseResult, latestResults, resultsFile } from './report/results-file.ts';
import { resultsTable } from './report/results-table.ts';
import { type Bench, createBench } from './stage/bench.ts';
import { startStores } from './stage/stores.ts';

const help = `npm run bench [-- [options] [id …]]

Measures the service against references in the same run, in blocks that alternate. Without ids: everything, which takes
a good hour on a quiet machine. Stop it at any time: what it started ends with it, within some seconds.

  --list        the cases and their goals
  --quick       short blocks and small databases: whether everything works, and a first idea
  --write-docs  puts what has run here, test-output/bench/results.json, into docs/performance.md and docs/operating.md,
                but for what ran with --quick or could not be measured; without ids: runs nothing
  --help        this

Exit code 0 also when a goal is missed: the table says so. 1 when a case could not be measured, or the run was stopped;
2 when the command line is wrong.
`;
const shapes = {
  usual: {
    starts: 4,
    roundsPerStart: 3,
    blockMilliseconds: 3_000,
    warmUpRequests: 4_000,
    longestWarmUpMilliseconds: 8_000,
  },
  quick: {
    starts: 2,
    roundsPerStart: 2,
    blockMilliseconds: 1_000,
    warmUpRequests: 1_000,
    longestWarmUpMilliseconds: 2_000,
  },
};

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (!interruption.signal.aborted) say('\nstopping …\n');
    interruption.abort();
  });

process.exitCode = await main();

async function main(): Promise<number> {
  const commandLine = readCommandLine();
  if (commandLine === undefined) return 2;
  const { values, positionals } = commandLine;
  if (values.help) return say(help);
  const cases = await findCases();
  if (values.list) return say(cases.map(({ id, what, goal }) => `${id}\n  ${what}\n  ${goal}\n`).join(''));
  const ids = cases.map(({ id }) => id);
  const unknown = positionals.filter((id) => !ids.includes(id));
  if (unknown.length > 0) {
    say(`there is no case ${unknown.join(', ')}; --list names them\n`);
    return 2;
  }
  const onlyWrites = values['write-docs'] === true && positionals.length === 0;
  const chosen = cases.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const results = onlyWrites ? [] : await runAll(chosen, values.quick);
  if (values['write-docs']) say(`\n${publishResults(ids).join('\n')}\n`);
  if (results.length > 0)
    say(`\n${resultsTable(results)}\n\n${path.relative('.', resultsFile)} is written\n`);
  return interruption.signal.aborted || results.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** Undefined, and said, when there is no such option. */
function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean' },
        help: { type: 'boolean' },
        quick: { type: 'boolean', default: false },
        'write-docs': { type: 'boolean' },
      },
    });
  } catch (error) {
    const [fault] = String(error instanceof Error ? error.message : error).split('. ');
    say(`${fault}; --help names the options\n`);
    return undefined;
  }
}

async function runAll(cases: readonly BenchCase[], isQuick: boolean): Promise<CaseResult[]> {
  // The account PostgreSQL runs as must be able to pass through.
  const directory = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  chmodSync(directory, 0o711);
  // Before this process is kept on one core, and sees no other.
  const measured = readMeasuredEnvironment();
  pinProcess(process.pid, cores.others);
  try {
    await using stores = await startStores(directory, interruption.signal);
    const bench = createBench({
      ...shapes[isQuick ? 'quick' : 'usual'],
      stores,
      directory,
      isQuick,
      environment: process.env,
      signal: interruption.signal,
      report: (line) => say(`  ${line}\n`),
    });
    const results: CaseResult[] = [];
    for (const [index, chosen] of cases.entries()) {
      if (interruption.signal.aborted) break;
      say(`\n${index + 1}/${cases.length} ${chosen.id}: ${chosen.what}\n`);
      const result = await runCase(chosen, bench, measured);
      if (interruption.signal.aborted) break;
      latestResults.write([result]);
      results.push(result);
      for (const { what, goal, measured, state } of result.findings)
        say(`  ${state}: ${what}: ${measured}, goal ${goal}\n`);
    }
    return results;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runCase(
  { id, what, goal, run }: BenchCase,
  bench: Bench,
  measured: MeasuredEnvironment,
): Promise<CaseResult> {
  const startedAt = new Date();
  const machineTime = readMachineTime();
  const environment = { ...measured, loadAverage: Math.round(10 * (os.loadavg()[0] ?? 0)) / 10 };
  const known = { id, what, goal, isQuick: bench.isQuick, isPinned: canPin, environment };
  const outcome = await run(bench).then(
    (findings) => ({ findings }),
    (error: unknown) => {
      if (bench.signal.aborted) return { findings: [], failure: 'stopped' };
      say(`  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      for (const line of bench.complaints()) say(`  ${line.slice(0, 500)}\n`);
      return { findings: [], failure: String(error).slice(0, 300) };
    },
  );
  const durationSeconds = Math.round((Date.now() - startedAt.getTime()) / 100) / 10;
  const stolenShare = stolenShareSince(machineTime);
  return { ...known, ...outcome, ranAt: startedAt.toISOString(), durationSeconds, stolenShare };
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}
