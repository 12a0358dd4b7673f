import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import { createTestAccounts, type TestAccount } from '#tests/support/test-accounts.ts';
import { createKeepAliveClient } from '#tools/faults/keep-alive-client.ts';
import type { Send } from '../send-operation.ts';

/** Two replicas, each at its own address, and their database. */
export type RaceWorld = { apiUrls: readonly string[]; sql: Sql };

export type RaceResult = {
  figures: Record<string, number | string>;
  /** Empty when every race ended as it has to. */
  misses: string[];
};

export type Race = (world: RaceWorld) => Promise<RaceResult>;

/** One account and as many clients of it as are asked for, spread over the replicas. */
export type Contenders = {
  account: TestAccount;
  clients: Send[];
  setPlan(plan: 'free' | 'premium'): Promise<void>;
  close(): void;
};

/** Below the 120 that a token may send in a minute. */
const requestsPerToken = 110;

/** `requestsEach` is the most that one client is going to send. */
export async function openContenders(
  { apiUrls, sql }: RaceWorld,
  options: { clients: number; requestsEach?: number; plan?: 'free' | 'premium' },
): Promise<Contenders> {
  const accounts = createTestAccounts(sql);
  const account = await accounts.createAccount({ plan: options.plan ?? 'premium' });
  const tokensEach = Math.ceil((options.requestsEach ?? 10) / requestsPerToken);
  const opened = await Promise.all(
    Array.from({ length: options.clients }, async (_, index) => {
      const tokens = [];
      while (tokens.length < tokensEach) tokens.push(await accounts.createToken(account));
      return openClient(
        apiUrls[index % apiUrls.length] ?? '',
        tokens.map(({ secret }) => secret),
      );
    }),
  );
  return {
    account,
    clients: opened.map(({ send }) => send),
    setPlan: (plan) => accounts.setPlan(account, plan),
    close() {
      for (const { close } of opened) close();
    },
  };
}

function openClient(url: string, tokens: readonly string[]): { send: Send; close(): void } {
  const client = createKeepAliveClient(url);
  let sent = 0;
  return {
    close: client.close,
    async send({ method, path, body }) {
      const token = tokens[Math.floor(sent / requestsPerToken)];
      sent += 1;
      if (token === undefined) throw new Error('a client has used up its tokens');
      const answer = await client.send({ method, path: apiRootPath + path, token, body });
      if (typeof answer.outcome === 'string') throw new Error(`${method} ${path}: ${answer.outcome}`);
      return { status: answer.outcome, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
    },
  };
}

/** The body of an answer with this status; throws when it has another. */
export async function expectBody<Body>(answer: ReturnType<Send>, status: number): Promise<Body> {
  const { status: answered, body } = await answer;
  if (answered !== status)
    throw new Error(`expected ${status}, answered ${answered} ${JSON.stringify(body)}`);
  return body as Body;
}

export function countOf(statuses: readonly number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}
