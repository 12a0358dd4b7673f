import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pickFrom, tryChange } from '#tests/app/random-change.ts';
import { tryToolCall } from '#tests/app/random-tool-call.ts';
import { readStoredRows } from '#tests/app/stored-rows.ts';
import { type AssistantClient, connectAssistant } from '#tests/assistant/assistant-client.ts';
import { resultsOf } from '#tests/assistant/desk.ts';
import type { ApiResponse } from '#tests/support/api-client.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import { createTestAccounts, type TestAccount } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openRotatingClient } from '../rotating-client.ts';
import type { NotedWrites } from './noted-writes.ts';

type Writer = {
  baseUrl: string;
  sql: Sql;
  account: TestAccount;
  random: () => number;
  writes: NotedWrites;
};

const retryMilliseconds = 200;
/** Below the 120 a minute that a token may send, each entry of a call counted. */
const callsPerToken = 25;
const callsPerLook = 40;

/**
 * A script that creates tasks with an idempotency key, retries until there is a response, and sometimes sends
 * twice.
 */
export function openScript({ baseUrl, sql, account, random, writes }: Writer) {
  const client = openRotatingClient(baseUrl, sql, account, ({ method, pathname, status, body }) =>
    writes.note(method, pathname, status, body),
  );
  const titles: string[] = [];
  let pick = pickFrom(new Map(), random);
  let acts = 0;

  async function create(): Promise<void> {
    const title = `Script ${titles.length}`;
    titles.push(title);
    const headers = { 'Idempotency-Key': randomUUID() };
    const sender = await client.withOneToken();
    const send = () => sender.post('/tasks', { title }, { headers });
    await untilAnswered(send);
    if (random() < 0.1) await untilAnswered(send);
  }

  return {
    titles,
    async act(): Promise<void> {
      if (acts % callsPerLook === 0) pick = pickFrom(await readStoredRows(sql, account.accountId), random);
      acts += 1;
      if (random() < 0.25) return create();
      // Without a key the outcome of a lost response is unknown: its effect is compared, not counted.
      await tryChange(client, pick, random).catch(() => delay(retryMilliseconds));
    },
  };
}

async function untilAnswered(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const sent = async () => {
    const answer = await send().catch(() => undefined);
    return answer !== undefined && answer.status < 429 && answer.status !== 409 && answer;
  };
  return waitFor(sent, {
    timeoutMilliseconds: 60_000,
    intervalMilliseconds: retryMilliseconds,
    what: 'a response to a request with a key',
  });
}

/** An assistant that adds, changes, moves, ends and undoes. */
export function openAssistant({ baseUrl, sql, account, random }: Omit<Writer, 'writes'>) {
  const accounts = createTestAccounts(sql);
  /** Added tasks, acknowledged or with an unknown outcome. */
  const titles: string[] = [];
  let assistant: AssistantClient | undefined;
  let calls = 0;
  let pick = pickFrom(new Map(), random);

  async function connected(): Promise<AssistantClient> {
    if (calls % callsPerLook === 0) pick = pickFrom(await readStoredRows(sql, account.accountId), random);
    if (assistant === undefined || calls % callsPerToken === 0) {
      await assistant?.close();
      const { secret } = await accounts.createToken(account, { name: 'Desk assistant' });
      assistant = await connectAssistant(baseUrl, secret);
    }
    calls += 1;
    return assistant;
  }

  async function call(): Promise<void> {
    const client = await connected();
    const choice = random();
    if (choice < 0.06) await client.call('undo', { latest: true });
    else if (choice < 0.3) {
      const title = `Assistant ${calls}`;
      const added = await client.call('add_tasks', { tasks: [{ title }] });
      if (resultsOf(added).some(({ ok }) => ok)) titles.push(title);
    } else await tryToolCall(client, pick, random);
  }

  return {
    titles,
    async act(): Promise<void> {
      await call().catch(async () => {
        await assistant?.close().catch(() => undefined);
        assistant = undefined;
        await delay(retryMilliseconds);
      });
    },
    close: async () => assistant?.close().catch(() => undefined),
  };
}
