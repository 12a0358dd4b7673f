import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, markdownTable, projectFolder } from '../results.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const help = `npm run test:faults [-- [options] [id …]]

Injects faults, one after the other, and reports what clients saw. Without ids: all of them.

  --list  the scenarios and their goals
  --help  this

The services' logs of each scenario are kept in test-output/faults/logs.
Exit code 1 when a goal is missed.
`;

type Message = { line?: string; outcome?: Outcome; missing?: string; failure?: string };

const usualLimitMinutes = 15;
const logFolder = path.join(projectFolder, 'test-output/faults/logs');

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return say(help);
  if (values.list)
    return say(scenarios.map(({ id, fault, goal }) => `${id}\n  ${fault}\n  ${goal}\n`).join(''));
  const unknown = positionals.filter((id) => scenarios.every((scenario) => scenario.id !== id));
  if (unknown.length > 0) throw new Error(`there is no scenario ${unknown.join(', ')}; --list names them`);
  const chosen = scenarios.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  say(`${describeMachine()}\n`);
  let isReached = true;
  for (const scenario of chosen) {
    if (interruption.signal.aborted) break;
    isReached = (await runScenario(scenario)) && isReached;
  }
  return isReached && !interruption.signal.aborted ? 0 : 1;
}

/** Returns whether its goal was reached or it was skipped. */
async function runScenario(scenario: Scenario): Promise<boolean> {
  const { id, fault, goal } = scenario;
  say(`\n${id}: ${fault}\n`);
  const { outcome, missing, failure } = await runInOwnProcess(scenario);
  const misses = outcome?.misses ?? [`the trial itself failed: ${failure}`];
  const isReached = missing !== undefined || misses.length === 0;
  const { clientsSaw, lost, healthyAfter } = outcome ?? {};
  const seen = Object.entries({ 'clients saw': clientsSaw, lost, 'healthy after': healthyAfter });
  for (const [what, figures] of seen) if (figures !== undefined) say(`${what}: ${figures}\n`);
  const verdict = isReached ? `reached: ${goal}` : `**missed**: ${misses.join('; ')}`;
  const row = [fault, missing === undefined ? verdict : `not run: ${missing}`];
  say(`${markdownTable(['fault', 'goal reached or missed'], [row])}\n`);
  return isReached;
}

async function runInOwnProcess({ id, limitMinutes = usualLimitMinutes }: Scenario): Promise<Message> {
  // The account PostgreSQL runs as must be able to pass through.
  const directory = mkdtempSync(path.join(os.tmpdir(), 'faults-'));
  chmodSync(directory, 0o711);
  // The services' logs are kept, to be read when a goal was missed.
  const logs = path.join(logFolder, id);
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const child = fork(path.join(import.meta.dirname, 'run-scenario.ts'), [id], {
    env: { ...process.env, TMPDIR: directory, FAULTS_LOG_DIRECTORY: logs },
    signal: AbortSignal.any([interruption.signal, AbortSignal.timeout(limitMinutes * 60_000)]),
  });
  let end: Message = { failure: 'it ended without a result' };
  child.on('message', (message: Message) => {
    if (message.line === undefined) end = message;
    else say(`  ${message.line}\n`);
  });
  child.on('error', (error) => {
    end = { failure: `it was stopped: ${error.message}` };
  });
  await once(child, 'exit').catch(() => undefined);
  // Stores that outlive a stopped process by a moment still write there.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  return end;
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}
