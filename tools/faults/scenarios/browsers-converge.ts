import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '#tests/app/random-change.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type AppCluster, startAppCluster } from '../browsers/app-cluster.ts';
import { type CommandedBrowser, openCommandedBrowser } from '../browsers/commanded-browser.ts';
import { type KeyedBrowser, openKeyedBrowser } from '../browsers/keyed-browser.ts';
import { countCreatedTasks, NotedWrites } from '../browsers/noted-writes.ts';
import { openAssistant, openScript } from '../browsers/other-writers.ts';
import { compareCopy, readAccountRows } from '../browsers/stored-copy.ts';
import type { Scenario } from '../scenario.ts';

/** Operations of each: two Chromium, used by their keys; two without a page; a script; an assistant. */
const quota = { keys: 600, commands: 2_100, script: 2_900, assistant: 1_700 };
const operations = 2 * quota.keys + 2 * quota.commands + quota.script + quota.assistant;
const killsOfReplicas = 4;
const endsOfTabs = 6;
const patienceMilliseconds = 300_000;

type Run = AppCluster & {
  random(): () => number;
  writes: NotedWrites;
  done: number;
  report(line: string): void;
};

export const browsersConverge: Scenario = {
  id: 'browsers-converge',
  fault:
    `${operations} operations on one account: browsers that go offline, an assistant and a script; ` +
    'replicas and tabs killed (kill -9)',
  goal:
    'IndexedDB of the browsers equals the database; ' +
    'acknowledged writes lost 0, tasks created twice or never 0',
  limitMinutes: 40,
  async run(report) {
    await using parts = new AsyncDisposableStack();
    const run = await startRun(parts, report);
    const keyed = await Promise.all(['k', 'l'].map((name) => openKeyed(parts, run, name)));
    const commanded = await Promise.all(['c', 'd'].map((name) => openCommanded(parts, run, name)));
    const script = openScript({ ...run, baseUrl: run.cluster.baseUrl, random: run.random() });
    const assistant = openAssistant({ ...run, baseUrl: run.cluster.baseUrl, random: run.random() });
    parts.defer(assistant.close);
    const working = [
      ...keyed.map((browser) => useKeys(run, browser, run.random())),
      ...commanded.map((browser) => useCommands(run, browser, run.random())),
      repeat(run, quota.script, script.act),
      repeat(run, quota.assistant, assistant.act),
    ];
    await Promise.all([...working, killReplicas(run)]);
    report(`${run.done} operations; waiting until nothing is left to send`);
    const differences = await untilEqual(run, keyed, commanded);
    const created = await countCreatedTasks(run.sql, run.account.accountId);
    const others = [...script.titles, ...assistant.titles].filter(
      (title) => created.get(title)?.length !== 1,
    );
    const twice = [...created].filter(([title, made]) => made.length > 1 && isOwnTitle(title));
    const lost = await run.writes.findLost(run.sql, run.account.accountId);
    const faults = [...keyed, ...commanded].flatMap((browser) => browser.faults);
    const titles = [...keyed, ...commanded].flatMap((browser) => browser.titles.findFaults(created));
    const added = [...keyed, ...commanded].reduce((sum, browser) => sum + browser.titles.count, 0);
    const refusals = commanded.flatMap((browser) => browser.refusals);
    report(`refused: ${JSON.stringify(Object.fromEntries(countBy(refusals)))}`);
    report(`statuses: ${JSON.stringify(Object.fromEntries(run.writes.statuses))}`);
    return {
      clientsSaw: `${run.writes.acknowledged} acknowledged writes, ${added} tasks added in browsers`,
      lost: lost.length === 0 ? 'nothing' : `${lost.length} writes`,
      misses: [
        ...summary('differ', differences),
        ...summary('acknowledged and lost', lost),
        ...summary('added and not there once', [...titles, ...others.map((title) => `«${title}»`)]),
        ...summary(
          'created twice',
          twice.map(([title, made]) => `«${title}» ${made.join(', ')}`),
        ),
        ...summary('faults of a page', faults),
      ],
    };
  },
};

async function startRun(parts: AsyncDisposableStack, report: Run['report']): Promise<Run> {
  const seed = Number(process.env.TRIAL_SEED ?? Date.now() % 1_000_000);
  report(`TRIAL_SEED=${seed} chooses the same operations again`);
  const app = await startAppCluster(parts);
  let writers = 0;
  return {
    ...app,
    report,
    random: () => {
      writers += 1;
      return seededRandom(seed + 1_000 * writers);
    },
    writes: new NotedWrites(),
    done: 0,
  };
}

async function openKeyed(parts: AsyncDisposableStack, run: Run, name: string): Promise<KeyedBrowser> {
  const { cluster, account, writes } = run;
  const random = run.random();
  const session = await run.openSession();
  const { accountId } = account;
  const { cookies } = session;
  return parts.use(
    await openKeyedBrowser({ name, baseUrl: cluster.baseUrl, accountId, cookies, random, writes }),
  );
}

async function openCommanded(parts: AsyncDisposableStack, run: Run, name: string): Promise<CommandedBrowser> {
  const random = run.random();
  const session = await run.openSession();
  const browser = await openCommandedBrowser({ name, session, random, writes: run.writes });
  parts.defer(browser.close);
  return browser;
}

async function repeat(run: Run, times: number, act: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await act();
    run.done += 1;
  }
}

/** Online or not for some operations at a time; tabs end in either state. */
async function useKeys(run: Run, browser: KeyedBrowser, random: () => number): Promise<void> {
  let ends = 0;
  for (let done = 0; done < quota.keys; ) {
    await browser.setOnline(random() < 0.6);
    for (let left = 10 + random() * 25; left > 0; left -= 1) {
      if (!(await browser.act())) continue;
      done += 1;
      run.done += 1;
    }
    if (done < ((ends + 1) * quota.keys) / (endsOfTabs + 1)) continue;
    ends += 1;
    if (ends % 2 === 1) await browser.killTabs();
    else await browser.crashTab();
  }
  await browser.setOnline(true);
}

async function useCommands(run: Run, browser: CommandedBrowser, random: () => number): Promise<void> {
  for (let done = 0; done < quota.commands; ) {
    browser.setOnline(random() < 0.6);
    for (let left = 10 + random() * 30; left > 0; left -= 1) {
      await browser.act();
      done += 1;
      run.done += 1;
    }
    await browser.untilFewWait();
  }
  browser.setOnline(true);
}

/** Kills one replica and then the other, at even shares of the operations. */
async function killReplicas(run: Run): Promise<void> {
  const replicas = run.cluster.replicas['resource-api'];
  for (let kill = 1; kill <= killsOfReplicas; kill += 1) {
    const isDue = () => run.done >= (kill * operations) / (killsOfReplicas + 1);
    await waitFor(isDue, { timeoutMilliseconds: 1_800_000, intervalMilliseconds: 200, what: 'operations' });
    run.report(`${run.done} operations, ${run.writes.acknowledged} acknowledged writes; killing a replica`);
    const replica = replicas[kill % replicas.length];
    await replica?.end('SIGKILL');
    await replica?.start();
  }
}

/** Waits until the copies are equal; returns the remaining differences. */
async function untilEqual(
  { sql, account, report, ...run }: Run,
  keyed: readonly KeyedBrowser[],
  commanded: readonly CommandedBrowser[],
): Promise<string[]> {
  const session = await run.openSession();
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const stored = await readAccountRows(sql, account.accountId, session);
    const copies = await Promise.all([...keyed, ...commanded].map((browser) => browser.readCopy()));
    const differences = copies.flatMap(({ rows, waiting }, place) => [
      ...waiting.map((what) => `${place}: not sent: ${what}`),
      ...compareCopy(rows, stored).map((difference) => `${place}: ${difference}`),
    ]);
    report([`${differences.length} differences`, ...differences.slice(0, 3)].join('; '));
    if (differences.length === 0 || performance.now() > end) return differences;
    await delay(5_000);
  }
}

/** Whether a writer that uses each title once has created it. */
function isOwnTitle(title: string): boolean {
  return /^(Script|Assistant|Sow) /.test(title);
}

function summary(what: string, faults: readonly string[]): string[] {
  return faults.length === 0 ? [] : [`${faults.length} ${what}, such as ${faults.slice(0, 3).join('; ')}`];
}

function countBy(values: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
}
