import { decodeJwt } from 'jose';
import { newVisit, type Person } from '#tests/pages/visitors.ts';
import type { PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import {
  type OwnStack,
  type OwnStackOptions,
  type Stack,
  type StackOwner,
  startStack,
} from '#tests/support/stack.ts';
import {
  createOAuthEndpoints,
  createPkce,
  defaultRedirectUri,
  type OAuthEndpoints,
  type Parameters,
  type TokenAnswer,
} from './oauth-endpoints.ts';

/** The running pair, one account, and its owner's browser, signed in. */
export type OAuthWorld = { stack: Stack; endpoints: OAuthEndpoints; owner: Person; browser: PageBrowser };
export type OwnOAuthWorld = OAuthWorld & { stack: OwnStack };

export type Decision = {
  decision?: 'allow' | 'deny';
  /** The scopes left ticked; all that were asked for, unless given. */
  scopes?: readonly string[];
};

export type ConnectedApp = {
  clientId: string;
  redirectUri: string;
  grantId: string;
  tokens: TokenAnswer;
};

export const password = 'correct horse battery staple';

export async function startOAuthWorld(owner: StackOwner, options: OwnStackOptions): Promise<OwnOAuthWorld>;
export async function startOAuthWorld(owner: StackOwner): Promise<OAuthWorld>;
export async function startOAuthWorld(owner: StackOwner, options?: OwnStackOptions): Promise<OAuthWorld> {
  const stack = await (options
    ? startStack(owner, { withAuthServer: true, ...options })
    : startStack(owner, { withAuthServer: true }));
  return { stack, endpoints: createOAuthEndpoints(stack.baseUrl), ...(await addOwner(stack)) };
}

/** One more account, with a browser signed in to it. */
export async function addOwner(stack: Stack): Promise<{ owner: Person; browser: PageBrowser }> {
  const { person: owner, browser } = await newVisit(stack, { password });
  return { owner, browser };
}

export async function registerClient(
  { endpoints }: Pick<OAuthWorld, 'endpoints'>,
  redirectUri: string = defaultRedirectUri,
): Promise<string> {
  const answer = await endpoints.register({ redirect_uris: [redirectUri], client_name: 'Test app' });
  if (answer.status !== 201) throw new Error(`registration answers ${answer.status}`);
  return String(answer.body.client_id);
}

/** What a well-behaved client asks for, and the verifier it keeps. */
export function authorizationRequest(
  clientId: string,
  changes: Parameters = {},
): { parameters: Parameters; verifier: string; redirectUri: string } {
  const { verifier, challenge } = createPkce();
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: defaultRedirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    ...changes,
  };
  return { parameters, verifier, redirectUri: String(parameters.redirect_uri) };
}

/** Opens the consent page; throws unless it is one. */
export async function openConsentPage(browser: PageBrowser, url: string): Promise<PageView> {
  const page = await browser.get(url);
  if (page.status === 200 && consentAction(page) !== '') return page;
  throw new Error(`the consent page has status ${page.status}: ${page.text}`);
}

/** Decides on the consent page and returns where the client's redirect target is sent. */
export async function decide(browser: PageBrowser, page: PageView, decision: Decision = {}): Promise<URL> {
  const action = consentAction(page);
  const wanted = decision.decision ?? 'allow';
  const button = page.form(action).buttons.find(({ value }) => value === wanted)?.text;
  const fields = decision.scopes === undefined ? {} : { scope: decision.scopes };
  const decided = await browser.submit(page, action, fields, { button });
  const back = await browser.get(decided.location ?? '');
  if (back.location === null) throw new Error(`the decision ends at ${back.status}: ${back.text}`);
  return new URL(back.location);
}

export async function authorize(
  { endpoints, browser }: Pick<OAuthWorld, 'endpoints' | 'browser'>,
  parameters: Parameters,
  decision: Decision = {},
): Promise<URL> {
  return decide(browser, await openConsentPage(browser, endpoints.authorizeUrl(parameters)), decision);
}

/** A code that nobody has redeemed, with what its redemption needs. */
export async function obtainCode(
  world: Pick<OAuthWorld, 'endpoints' | 'browser'>,
  options: Decision & { clientId?: string; parameters?: Parameters } = {},
): Promise<{ clientId: string; redirectUri: string; redemption: Record<string, string> }> {
  const clientId = options.clientId ?? (await registerClient(world));
  const { parameters, verifier, redirectUri } = authorizationRequest(clientId, options.parameters);
  const target = await authorize(world, parameters, options);
  const code = target.searchParams.get('code');
  if (code === null) throw new Error(`no code in ${target.href}`);
  const redemption = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return { clientId, redirectUri, redemption };
}

export async function connectApp(
  world: Pick<OAuthWorld, 'endpoints' | 'browser'>,
  options: Decision & { clientId?: string; parameters?: Parameters } = {},
): Promise<ConnectedApp> {
  const { clientId, redirectUri, redemption } = await obtainCode(world, options);
  const { status, body } = await world.endpoints.token(redemption);
  if (status !== 200) throw new Error(`the code's redemption answers ${status} ${JSON.stringify(body)}`);
  return { clientId, redirectUri, grantId: String(decodeJwt(body.access_token).grant_id), tokens: body };
}

export function refreshRequest(app: ConnectedApp, refreshToken = app.tokens.refresh_token): Parameters {
  return { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: app.clientId };
}

/** Where the form of the consent page is sent; throws unless the page is one. */
export function consentAction({ forms, path, location, text }: PageView): string {
  const action = forms.map((form) => form.action).find((each) => each.startsWith('/oauth/interaction/'));
  if (action === undefined) throw new Error(`${path} is no consent page: ${location ?? ''} ${text}`);
  return action;
}
