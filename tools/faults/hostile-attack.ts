import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type ClientRequest, createKeepAliveClient } from './keep-alive-client.ts';

/**
 * The first message to this process, which replies when the attack has started; the second, `stop`, ends it.
 */
export type Attack = { apiUrls: readonly string[]; baseUrl: string; tokenSecrets: readonly string[] };

export type AttackReport = { outcomes: Record<string, number>; processorSeconds: number };

const hostileClients = 24;
const slowReaders = 40;

const manyLinks = Array.from({ length: 300 }, (_, index) => `[link ${index}][a]`).join(' ');
const links = `${manyLinks}\n\n[a]: https://example.com/${'a'.repeat(200)}`;
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
    (): ClientRequest => ({ method: 'GET', path: `${apiRootPath}/tasks?limit=200`, token }),
  ];
  const choose = kinds[turn % kinds.length] as () => ClientRequest;
  return choose();
}

function startAttack({ apiUrls, baseUrl, tokenSecrets }: Attack): () => Promise<AttackReport> {
  const outcomes: AttackReport['outcomes'] = {};
  const { user, system } = process.cpuUsage();
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
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === 429) await delay(100);
    }
    api.close();
    host.close();
  };
  const { hostname, port } = new URL(apiUrls[0] ?? '');
  /** Requests a page and does not read the response. */
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
  return async () => {
    isOver = true;
    await Promise.all(work);
    const used = process.cpuUsage({ user, system });
    return { outcomes, processorSeconds: (used.user + used.system) / 1e6 };
  };
}

const [attack] = await once(process, 'message');
const stop = startAttack(attack);
process.send?.('begun');
await once(process, 'message');
process.send?.(await stop());
process.disconnect?.();
