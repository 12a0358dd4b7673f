import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { describeOutcomes, isSuccess, percentile } from '../figures.ts';
import { type ClientRequest, createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts, type LoadAccount } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { type SteadyAnswer, sendSteadily } from '../steady-requests.ts';

const limits = { storageMegabytes: 1_024, p99Factor: 1.5 };
const calmSeconds = 60;
const hostileSeconds = 300;
const others = { perSecond: 12, clients: 12 };
/** As many tokens as an account may have, used from as many addresses as it takes. */
const hostileTokens = 50;
const hostileClients = 24;
const slowReaders = 40;

export const hostileAccount: Scenario = {
  id: 'hostile-account',
  fault: `one account at its limits for ${hostileSeconds / 60} minutes: ${hostileTokens} tokens, long notes, lists, token exchanges, uploads, slow readers`,
  goal: `p99 of other accounts ≤ ${limits.p99Factor} × undisturbed, none of their notes in plain text, growth within the account’s limit`,
  limitMinutes: 15,
  async run(report) {
    await using cluster = await startCluster({ replicas: 1 });
    const requests = others.perSecond * (calmSeconds + hostileSeconds + 60);
    const accounts = await createLoadAccounts(cluster, { accounts: 4, requests });
    const [hostile] = await createLoadAccounts(cluster, {
      accounts: 1,
      requests: 110 * (hostileTokens - 1),
    });
    if (hostile === undefined) throw new Error('there is no hostile account');
    const send = (seconds: number) =>
      sendSteadily({ urls: cluster.apiUrls, ...others, seconds, requestFor: ordinaryRequests(accounts) });
    await send(10);
    report('undisturbed');
    const calm = await send(calmSeconds);
    const sizeBefore = await databaseBytes(cluster);
    report('the account is at its limits');
    const attack = startAttack(cluster, hostile);
    const disturbed = await send(hostileSeconds);
    const attempts = await attack.stop();
    const grownMegabytes = Math.round(((await databaseBytes(cluster)) - sizeBefore) / 2 ** 20);
    const plain = await notesInPlainText(cluster, accounts);
    await delay(15_000);
    const plainLater = await notesInPlainText(cluster, accounts);
    const [before, during] = [calm, disturbed].map(p99Of);
    const failed = disturbed.filter((answer) => !isSuccess(answer));
    return {
      clientsSaw: `others: p99 ${before} ms undisturbed, ${during} ms meanwhile, ${describeOutcomes(disturbed)}; hostile: ${describeOutcomes(attempts)}`,
      lost: `notes in plain text: ${plain}, ${plainLater} a quarter of a minute later; the database grew by ${grownMegabytes} MB`,
      healthyAfter: '–',
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

const links = `${Array.from({ length: 300 }, (_, index) => `[link ${index}][a]`).join(' ')}\n\n[a]: https://example.com/${'a'.repeat(200)}`;
const entries = Array.from({ length: 50 }, (_, index) => ({
  title: `Entry ${index}`,
  notes: links.slice(0, 2_400),
}));

function hostileRequest(token: string, turn: number): ClientRequest {
  const api = (path: string, body: object): ClientRequest => ({
    method: 'POST',
    path: apiRootPath + path,
    token,
    body,
    headers: { 'idempotency-key': randomUUID() },
  });
  const kinds = [
    () => api('/tasks', { title: 'Links', description: links }),
    () =>
      api('/tasks', {
        title: 'Long',
        description: `${'> '.repeat(40)}word *a* `.repeat(1_000).slice(0, 100_000),
      }),
    () => api('/tasks', { title: 'x'.repeat(2_000_000) }),
    () => ({
      method: 'POST',
      path: '/mcp',
      token,
      body: {
        jsonrpc: '2.0',
        id: turn,
        method: 'tools/call',
        params: { name: 'add_tasks', arguments: { tasks: entries } },
      },
      headers: { accept: 'application/json, text/event-stream' },
    }),
    (): ClientRequest => ({
      method: 'POST',
      path: `${apiRootPath}/auth/token`,
      body: { subjectToken: token, grantType: 'urn:ietf:params:oauth:grant-type:token-exchange' },
    }),
  ];
  return (kinds[turn % kinds.length] ?? kinds[0])?.() as ClientRequest;
}

function startAttack({ apiUrls, baseUrl }: Cluster, { tokenSecrets }: LoadAccount) {
  const answers: Pick<SteadyAnswer, 'outcome'>[] = [];
  let isOver = false;
  let turn = 0;
  const flood = async (index: number): Promise<void> => {
    const api = createKeepAliveClient(apiUrls[index % apiUrls.length] ?? '');
    const host = createKeepAliveClient(baseUrl);
    while (!isOver) {
      turn += 1;
      const request = hostileRequest(tokenSecrets[turn % tokenSecrets.length] ?? '', turn);
      const client = request.path.endsWith('/auth/token') ? host : api;
      const { outcome } = await client.send(request);
      answers.push({ outcome });
      if (outcome === 429) await delay(100);
    }
    api.close();
    host.close();
  };
  const { hostname, port } = new URL(apiUrls[0] ?? '');
  /** Asks for a page and reads nothing of it. */
  const readSlowly = async (index: number): Promise<void> => {
    while (!isOver) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      const token = tokenSecrets[index % tokenSecrets.length];
      socket
        .pause()
        .write(
          `GET ${apiRootPath}/tasks?limit=200 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
      for (let waited = 0; waited < 60 && !isOver; waited += 1) await delay(500);
      socket.destroy();
    }
  };
  const work = [
    ...Array.from({ length: hostileClients }, (_, index) => flood(index)),
    ...Array.from({ length: slowReaders }, (_, index) => readSlowly(index)),
  ];
  return {
    async stop() {
      isOver = true;
      await Promise.all(work);
      return answers;
    },
  };
}

function p99Of(answers: readonly SteadyAnswer[]): number {
  return Math.round(
    percentile(
      answers.map(({ milliseconds }) => milliseconds),
      0.99,
    ),
  );
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
