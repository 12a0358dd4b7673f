import { createPageBrowser } from '#tests/support/page-browser.ts';
import {
  authorizationRequest,
  connectApp,
  consentAction,
  decide,
  type OAuthWorld,
  obtainCode,
  openConsentPage,
  refreshRequest,
  registerClient,
} from './oauth-flow.ts';

/** What a user types that no log may hold either. */
type Words = { wrongPassword?: string | undefined; state?: string | undefined };

/** Goes through sign-in, consent, tokens and their end; returns every secret of clients and browsers. */
export async function useEverySecret(
  world: OAuthWorld,
  { wrongPassword = 'a wrong password', state }: Words = {},
): Promise<Record<string, string>> {
  const { endpoints, stack, owner } = world;
  const browser = createPageBrowser(stack.baseUrl);
  const signInPage = await browser.get('/sign-in');
  await browser.submit(signInPage, '/sign-in', { email: owner.email, password: wrongPassword });
  await browser.signIn(owner);
  const clientId = await registerClient(world);

  const { parameters, verifier, redirectUri } = authorizationRequest(clientId, state ? { state } : {});
  const page = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
  const action = consentAction(page);
  const cookies = Object.fromEntries(
    ['tasks_session', 'tasks_csrf', 'oauth_interaction', 'oauth_interaction.sig', 'oauth_resume.sig'].map(
      (name) => [`cookie ${name}`, browser.cookies.get(name) ?? ''],
    ),
  );
  const code = (await decide(browser, page)).searchParams.get('code') ?? '';
  const redemption = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier };
  const first = (await endpoints.token({ ...redemption, redirect_uri: redirectUri })).body;
  const app = await connectApp({ endpoints, browser }, { clientId });
  const second = (await endpoints.token(refreshRequest(app))).body;
  await endpoints.token(refreshRequest(app, `${second.refresh_token}x`));
  await endpoints.me(second.access_token);
  await endpoints.revoke({ client_id: clientId, token: first.access_token });

  const anotherUrl = endpoints.authorizeUrl(authorizationRequest(clientId).parameters);
  const waitingAction = consentAction(await openConsentPage(browser, anotherUrl));
  const unredeemed = (await obtainCode({ endpoints, browser }, { clientId })).redemption;
  await endpoints.token({ ...unredeemed, redirect_uri: 'https://wrong.example.com/' });
  const { token } = await stack.newClient();
  const exchanged = await stack.anonymous.post<{ accessToken: string }>('/auth/token', {
    subjectToken: token.secret,
  });
  return {
    ...cookies,
    password: owner.password,
    'form token of sign-in': signInPage.csrfToken('/sign-in'),
    'form token of consent': page.csrfToken(action),
    'address of a decided request': action.split('/').at(-1) ?? '',
    'address of a waiting request': waitingAction.split('/').at(-1) ?? '',
    verifier,
    'code, redeemed': code,
    'code, waiting': unredeemed.code ?? '',
    'refresh token, used': app.tokens.refresh_token,
    'refresh token': second.refresh_token,
    'access token, revoked': first.access_token,
    'access token': second.access_token,
    'personal token': token.secret,
    'exchanged token': exchanged.body.accessToken,
  };
}
