import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cores, pinProcess } from '../processes.ts';
import { describeMachine, markdownTable } from '../results.ts';
import { createBench } from './bench.ts';
import type { BenchCase, Finding } from './bench-case.ts';
import { growth } from './cases/growth.ts';
import { memory, principals } from './cases/memory.ts';
import { oauth } from './cases/oauth.ts';
import { betterAuthRefresh, directusPage } from './cases/peers.ts';
import { reminders } from './cases/reminders.ts';
import { requests } from './cases/requests.ts';
import { webApp } from './cases/web-app.ts';
import { webAppMemory } from './cases/web-app-memory.ts';
import { startStores } from './stores.ts';

const help = `npm run bench [-- [options] [id …]]

Measures processor time and memory of the services, in blocks that alternate. Without ids: everything,
which takes about an hour on a quiet machine. Stop it at any time: what it started ends with it, within
some seconds.

  --list   the cases
  --quick  short blocks and small databases: whether everything works, and a first idea
  --help   this

Exit code 0 also when a goal is missed: the table says so. 1 when a case could not be measured, or the run
was stopped; 2 when the command line is wrong.
`;

const cases = [
  requests,
  directusPage,
  oauth,
  betterAuthRefresh,
  memory,
  principals,
  reminders,
  webApp,
  webAppMemory,
  growth,
];
const usual = { starts: 4, roundsPerStart: 3, blockMilliseconds: 3_000, warmUpRequests: 4_000 };
const quick = { starts: 2, roundsPerStart: 2, blockMilliseconds: 1_000, warmUpRequests: 1_000 };

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());

process.exitCode = await main();

async function main(): Promise<number> {
  const commandLine = readCommandLine();
  if (commandLine === undefined) return 2;
  const { values, positionals } = commandLine;
  if (values.help) return say(help);
  if (values.list) return say(cases.map(({ id, what }) => `${id}: ${what}\n`).join(''));
  const chosen = cases.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  return (await runAll(chosen, values.quick)) ? 0 : 1;
}

/** Undefined, after printing an error, if there is no such option or case. */
function readCommandLine() {
  try {
    const commandLine = parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean' },
        help: { type: 'boolean' },
        quick: { type: 'boolean', default: false },
      },
    });
    const unknown = commandLine.positionals.find((id) => cases.every((known) => known.id !== id));
    if (unknown !== undefined) throw new Error(`there is no case ${unknown}`);
    return commandLine;
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}; --help names the options\n`);
    return undefined;
  }
}

/** Whether every case was measured. */
async function runAll(chosen: readonly BenchCase[], isQuick: boolean): Promise<boolean> {
  const { signal } = interruption;
  // The account PostgreSQL runs as must be able to pass through.
  const directory = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  chmodSync(directory, 0o711);
  // Before this process is pinned to one core and sees only that one.
  say(`${describeMachine()}\n`);
  pinProcess(process.pid, cores.others);
  let isComplete = true;
  try {
    await using stores = await startStores(directory, signal);
    const shape = { ...(isQuick ? quick : usual), longestWarmUpMilliseconds: isQuick ? 2_000 : 8_000 };
    const report = (line: string) => void say(`  ${line}\n`);
    const bench = createBench({ stores, shape, isQuick, directory, signal, report });
    for (const { id, what, run } of chosen) {
      say(`\n${id}: ${what}\n`);
      try {
        say(`\n${resultsTable(await run(bench))}\n`);
      } catch (error) {
        isComplete = false;
        if (signal.aborted) break;
        say(`  not measured: ${error instanceof Error ? error.stack : error}\n`);
      }
    }
    return isComplete;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function resultsTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ what, goal, measured, state }) => [what, goal, measured, state]);
  return markdownTable(['measured', 'goal', 'result (95 % interval)', 'outcome'], rows);
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}
