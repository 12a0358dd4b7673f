import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type ClientAnswer, type ClientRequest, createKeepAliveClient } from './keep-alive-client.ts';
import type { LoadAccount } from './load-accounts.ts';
import { runWriter } from './task-writer.ts';
import type { WriteRecord } from './write-history.ts';

export type LoadOptions = {
  /** Clients are spread over these. */
  urls: readonly string[];
  /** Clients are spread over these, too. */
  accounts: readonly LoadAccount[];
  writers: number;
  readers: number;
  /** Between an answer and the client's next request. */
  pauseMilliseconds: number;
  /** Of all clients together. */
  requestLimit: number;
  timeLimitMilliseconds: number;
};

export type RequestRecord = Pick<ClientAnswer, 'outcome' | 'sentAt' | 'milliseconds'> & {
  kind: 'read' | 'write';
  /** Of a 503: whether it has the API's shape and Retry-After. */
  isWellFormed: boolean;
};

export type Load = {
  /** In the order of their answers. */
  requests: readonly RequestRecord[];
  writes: readonly WriteRecord[];
  /** Resolves when the limits are reached or it was stopped. Rejects when a client failed to be one. */
  finished: Promise<void>;
  /** Lets what is under way end. */
  stop(): Promise<void>;
};

/** What a client sends through; undefined when the load is over. */
export type Send = (kind: 'read' | 'write', request: ClientRequest) => Promise<ClientAnswer | undefined>;

export type ClientSession = { send: Send; accountId: string; nextToken(): string };

/** Requests of one token before the next is taken; what is left of its 120 a minute is for sending again. */
const requestsPerToken = 60;

/** How many requests the accounts' tokens have to allow for such a load. */
export function tokenRequests({
  requestLimit,
  writers,
  readers,
}: Omit<LoadOptions, 'urls' | 'accounts'>): number {
  return 2 * requestLimit + 120 * (writers + readers);
}

/** Writers and readers, each over a connection of its own, until a limit is reached. */
export function startLoad(options: LoadOptions): Load {
  const requests: RequestRecord[] = [];
  const writes: WriteRecord[] = [];
  const over = AbortSignal.timeout(options.timeLimitMilliseconds);
  const stopping = new AbortController();
  let sentCount = 0;

  const runClient = async (index: number, work: (session: ClientSession) => Promise<void>) => {
    const url = options.urls[index % options.urls.length];
    const account = options.accounts[index % options.accounts.length];
    if (url === undefined || account === undefined) throw new Error('a load needs a URL and an account');
    const client = createKeepAliveClient(url);
    const nextToken = takeTurns(account);
    const send: Send = async (kind, request) => {
      await delay(options.pauseMilliseconds * (0.5 + Math.random()));
      if (over.aborted || stopping.signal.aborted || sentCount >= options.requestLimit) return undefined;
      sentCount += 1;
      const answer = await client.send({
        token: request.token ?? nextToken(),
        method: request.method,
        body: request.body,
        ...(request.headers && { headers: request.headers }),
        path: apiRootPath + request.path,
      });
      requests.push({ kind, ...pick(answer), isWellFormed: isWellFormed(answer) });
      return answer;
    };
    try {
      await work({ send, nextToken, accountId: account.accountId });
    } finally {
      client.close();
    }
  };

  const writers = Array.from({ length: options.writers }, (_, index) =>
    runClient(index, (session) =>
      runWriter({ ...session, name: `writer ${index}`, record: (write) => writes.push(write) }),
    ),
  );
  const readers = Array.from({ length: options.readers }, (_, index) => runClient(index, runReader));
  const finished = Promise.all([...writers, ...readers]).then(() => undefined);
  return {
    requests,
    writes,
    finished,
    stop() {
      stopping.abort();
      return finished;
    },
  };
}

const readPaths = ['/tasks?limit=20', '/me', '/tasks?view=inbox&limit=10', '/projects'];

async function runReader({ send }: ClientSession): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const path = readPaths[turn % readPaths.length] ?? '/me';
    if ((await send('read', { method: 'GET', path })) === undefined) return;
  }
}

function pick({ outcome, sentAt, milliseconds }: ClientAnswer) {
  return { outcome, sentAt, milliseconds };
}

/** RFC 9110 §10.2.3, and the one shape of the API's errors. */
function isWellFormed({ outcome, headers, body }: ClientAnswer): boolean {
  if (outcome !== 503) return true;
  return (
    /^\d+$/.test(String(headers['retry-after'])) &&
    body.includes('"errorType":"unavailable"') &&
    body.includes('"errorCode":"service_unavailable"')
  );
}

function takeTurns(account: LoadAccount): () => string {
  let token = account.takeToken();
  let used = 0;
  return () => {
    if (used >= requestsPerToken) {
      token = account.takeToken();
      used = 0;
    }
    used += 1;
    return token;
  };
}
