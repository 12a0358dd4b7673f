import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { percentile } from '../../statistics.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { describeOutcomes, isSuccess } from '../figures.ts';
import type { Attack, AttackReport } from '../hostile-attack.ts';
import type { ClientRequest } from '../keep-alive-client.ts';
import { createLoadAccounts, type LoadAccount } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { type SteadyAnswer, sendSteadily } from '../steady-requests.ts';

const limits = { storageMegabytes: 1_024, p99Factor: 1.5 };
/** Alternating, so that other load on the machine affects both alike. */
const [rounds, calmSeconds, hostileSeconds] = [5, 20, 60];
const others = { perSecond: 12, clients: 12 };
/** As many tokens as an account may have, used from as many addresses as it takes. */
const hostileTokens = 50;

export const hostileAccount: Scenario = {
  id: 'hostile-account',
  fault:
    `one account at its limits for ${(rounds * hostileSeconds) / 60} minutes: ${hostileTokens} tokens, ` +
    'long notes, lists, long pages, token exchanges, uploads, slow readers',
  goal:
    `p99 of other accounts ≤ ${limits.p99Factor} × undisturbed, none of their notes in plain text, ` +
    'growth within the account’s limit',
  limitMinutes: 15,
  async run(report) {
    await using cluster = await startCluster({ replicas: 1 });
    const requests = others.perSecond * (rounds * (calmSeconds + hostileSeconds) + 60);
    const accounts = await createLoadAccounts(cluster, { accounts: 4, requests });
    const [hostile] = await createLoadAccounts(cluster, {
      accounts: 1,
      requests: 110 * (hostileTokens - 1),
    });
    if (hostile === undefined) throw new Error('there is no hostile account');
    const send = (seconds: number) =>
      sendSteadily({ urls: cluster.apiUrls, ...others, seconds, requestFor: ordinaryRequests(accounts) });
    await send(10);
    const [calm, disturbed]: [SteadyAnswer[], SteadyAnswer[]] = [[], []];
    const attempts: AttackReport = { outcomes: {}, processorSeconds: 0 };
    const sizeBefore = await databaseBytes(cluster);
    for (let round = 1; round <= rounds; round += 1) {
      report(`round ${round}: undisturbed`);
      calm.push(...(await send(calmSeconds)));
      report(`round ${round}: the account is at its limits`);
      const stopAttack = await startAttack(cluster, hostile);
      disturbed.push(...(await send(hostileSeconds)));
      addTo(attempts, await stopAttack());
    }
    const grownMegabytes = Math.round(((await databaseBytes(cluster)) - sizeBefore) / 2 ** 20);
    const plain = await notesInPlainText(cluster, accounts);
    await delay(15_000);
    const plainLater = await notesInPlainText(cluster, accounts);
    const [before, during] = [calm, disturbed].map(p99Of);
    const failed = disturbed.filter((answer) => !isSuccess(answer));
    return {
      clientsSaw:
        `others: p99 ${before} ms undisturbed, ${during} ms meanwhile, ${describeOutcomes(disturbed)}; ` +
        `hostile: ${describeCounts(attempts)}`,
      lost:
        `notes in plain text: ${plain}, ${plainLater} a quarter of a minute later; ` +
        `the database grew by ${grownMegabytes} MB`,
      misses: missesOf(
        [failed.length > 0, `requests of others failed: ${describeOutcomes(failed)}`],
        [(during ?? 0) > limits.p99Factor * (before ?? 0), `p99 ${during} ms against ${before} ms`],
        [plainLater > 0, `${plainLater} notes of others in plain text`],
        [grownMegabytes > limits.storageMegabytes, `the database grew by ${grownMegabytes} MB`],
        [cluster.unexpectedEnds() > 0, 'a replica ended'],
      ),
    };
  },
};

const shortNotes =
  'Ask about **Thursday**, see [the list](https://example.com/list).\n\n- bring keys\n- call first';

/** A read, or every third time a task with notes. */
function ordinaryRequests(accounts: readonly LoadAccount[]) {
  return (number: number): ClientRequest => {
    const token = accounts[number % accounts.length]?.nextToken() ?? '';
    if (number % 3 !== 0) return { method: 'GET', path: `${apiRootPath}/tasks?limit=20`, token };
    const body = { title: `Task ${number}`, description: `${shortNotes} ${number}` };
    return { method: 'POST', path: `${apiRootPath}/tasks`, token, body };
  };
}

/** In a process of its own: what the attack costs its sender must not delay the others' measurement. */
async function startAttack(
  { apiUrls, baseUrl }: Cluster,
  { tokenSecrets }: LoadAccount,
): Promise<() => Promise<AttackReport>> {
  const attacker = fork(new URL('../hostile-attack.ts', import.meta.url));
  const attack: Attack = { apiUrls, baseUrl, tokenSecrets };
  attacker.send(attack);
  await once(attacker, 'message');
  return async () => {
    attacker.send('stop');
    const [report] = await once(attacker, 'message');
    return report;
  };
}

function addTo(sum: AttackReport, { outcomes, processorSeconds }: AttackReport): void {
  sum.processorSeconds += processorSeconds;
  for (const [outcome, count] of Object.entries(outcomes))
    sum.outcomes[outcome] = (sum.outcomes[outcome] ?? 0) + count;
}

function describeCounts({ outcomes, processorSeconds }: AttackReport): string {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} × ${count}`);
  return `${counts.join(', ')} in ${Math.round(processorSeconds)} s of processor time`;
}

function p99Of(answers: readonly SteadyAnswer[]): number {
  const times = answers.map(({ milliseconds }) => milliseconds);
  return Math.round(percentile(times, 0.99));
}

function databaseBytes({ database }: Cluster): Promise<number> {
  return database.query(async (sql) => {
    const [row] = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
    return Number(row?.bytes);
  });
}

/** Renderings for which there was no time have a version of 0 or less. */
function notesInPlainText({ database }: Cluster, accounts: readonly LoadAccount[]): Promise<number> {
  const ids = accounts.map(({ accountId }) => accountId);
  return database.query(async (sql) => {
    const rows =
      await sql`select from tasks.task where account_id = any(${ids}::uuid[]) and renderer_version < 1`;
    return rows.length;
  });
}
