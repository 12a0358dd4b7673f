import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { OwnStack, Stack } from '#tests/support/stack.ts';
import type { TestToken } from '#tests/support/test-accounts.ts';
import { createOAuthEndpoints, type OAuthEndpoints } from './oauth-endpoints.ts';
import {
  addOwner,
  type ConnectedApp,
  connectApp,
  type Owner,
  type OwnOAuthWorld,
  obtainCode,
  refreshRequest,
} from './oauth-flow.ts';

/** All the ways in to one account, each of them in use, and those of another account. */
export type AccessAtStake = OwnOAuthWorld & {
  app: ConnectedApp;
  otherApp: ConnectedApp;
  /** Of a third app, not redeemed yet. */
  waitingCode: Readonly<Record<string, string>>;
  waitingGrantId: string;
  personalToken: TestToken;
  exchangedToken: string;
  furtherBrowser: PageBrowser;
  neighbour: { app: ConnectedApp; personalToken: TestToken };
  /** Where the account's trail ended. */
  trailStart: string;
};

type ReadAndWrite = [read: number, write: number];

/** What became of every way in. */
export type AccessLeft = {
  app: ReadAndWrite;
  /** The app's token at the assistant server. */
  appAsAssistant: number;
  appRefresh: number | string;
  otherApp: ReadAndWrite;
  otherAppRefresh: number | string;
  waitingCode: number | string;
  personalToken: ReadAndWrite;
  exchangedToken: ReadAndWrite;
  /** 303: signed out. */
  browsers: [own: number, further: number];
  neighbour: ReadAndWrite;
  neighbourRefresh: number | string;
  neighbourToken: ReadAndWrite;
};

const used: ReadAndWrite = [200, 201];

export const nothingLost: AccessLeft = {
  app: used,
  appAsAssistant: 200,
  appRefresh: 200,
  otherApp: used,
  otherAppRefresh: 200,
  waitingCode: 200,
  personalToken: used,
  exchangedToken: used,
  browsers: [200, 200],
  neighbour: used,
  neighbourRefresh: 200,
  neighbourToken: used,
};

export async function openAccess(stack: OwnStack): Promise<AccessAtStake> {
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { owner, browser } = await addOwner(stack);
  const world = { stack, endpoints, owner, browser };
  const app = await connectApp(world);
  const otherApp = await connectApp(world);
  const waitingCode = (await obtainCode(world)).redemption;
  const personalToken = await stack.createToken(owner);
  const exchangedToken = await exchange(stack, personalToken);
  const furtherBrowser = createPageBrowser(stack.baseUrl);
  await furtherBrowser.signIn(owner);
  const access = {
    ...world,
    app,
    otherApp,
    waitingCode,
    waitingGrantId: await newestGrantOf(stack, owner),
    personalToken,
    exchangedToken,
    furtherBrowser,
    neighbour: await openNeighbour(stack, endpoints),
  };
  // What was asked once is known to whoever remembers answers.
  await useOf(stack, app.tokens.access_token);
  await askAssistant(stack, app.tokens.access_token);
  await useOf(stack, otherApp.tokens.access_token);
  await useOf(stack, exchangedToken);
  return { ...access, trailStart: await trailEnd(access) };
}

async function openNeighbour(stack: Stack, endpoints: OAuthEndpoints): Promise<AccessAtStake['neighbour']> {
  const { owner, browser } = await addOwner(stack);
  return {
    app: await connectApp({ endpoints, browser }),
    personalToken: await stack.createToken(owner),
  };
}

async function newestGrantOf({ sql }: Stack, { accountId }: Owner): Promise<string> {
  const [row] = await sql<{ id: string }>`select id from auth.oauth_grant where account_id = ${accountId}
    order by created_at desc limit 1`;
  return row?.id ?? '';
}

async function exchange({ anonymous }: Stack, { secret }: TestToken): Promise<string> {
  const { status, body } = await anonymous.post('/auth/token', { subjectToken: secret });
  if (status !== 200) throw new Error(`the exchange answers ${status}`);
  return String(body.accessToken);
}

/** Uses every way in once; refreshes come last, since they leave other tokens behind. */
export async function accessLeft(access: AccessAtStake): Promise<AccessLeft> {
  const { stack, app, otherApp, neighbour, browser, furtherBrowser, endpoints } = access;
  return {
    app: await useOf(stack, app.tokens.access_token),
    appAsAssistant: await askAssistant(stack, app.tokens.access_token),
    otherApp: await useOf(stack, otherApp.tokens.access_token),
    personalToken: await useOf(stack, access.personalToken.secret),
    exchangedToken: await useOf(stack, access.exchangedToken),
    browsers: [(await browser.get('/settings')).status, (await furtherBrowser.get('/settings')).status],
    neighbour: await useOf(stack, neighbour.app.tokens.access_token),
    neighbourToken: await useOf(stack, neighbour.personalToken.secret),
    appRefresh: await redeem(endpoints, refreshRequest(app)),
    otherAppRefresh: await redeem(endpoints, refreshRequest(otherApp)),
    waitingCode: await redeem(endpoints, access.waitingCode),
    neighbourRefresh: await redeem(endpoints, refreshRequest(neighbour.app)),
  };
}

async function useOf(stack: Stack, token: string): Promise<ReadAndWrite> {
  const client = stack.client(token);
  const read = await client.get('/me');
  const write = await client.post('/tasks', { title: 'Written with some token' });
  return [read.status, write.status];
}

/** The protocol's lightest request. */
async function askAssistant({ baseUrl }: Stack, token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
}

/** 200 when the API also reads with what came back; else the error. */
async function redeem(
  { token, me }: OAuthEndpoints,
  parameters: Parameters<OAuthEndpoints['token']>[0],
): Promise<number | string> {
  const { status, body } = await token(parameters);
  return status === 200 ? me(body.access_token) : (body.error ?? status);
}

export type TrailEntry = { event: string; actor: string; address: string | null; subject: string | null };

/** What the account's trail says since the access was opened. */
export async function trailSince({ stack, owner, trailStart }: AccessAtStake): Promise<TrailEntry[]> {
  return stack.sql<TrailEntry>`select event, actor, address, subject_id as subject from auth.audit_event
    where account_id = ${owner.accountId} and sequence > ${trailStart} order by sequence`;
}

async function trailEnd({ stack, owner }: OwnOAuthWorld): Promise<string> {
  const [row] = await stack.sql<{ end: string }>`select max(sequence) as end from auth.audit_event
    where account_id = ${owner.accountId}`;
  return row?.end ?? '0';
}
