import { AppError } from '#shared/errors/app-error.ts';
import { notFound } from '#shared/errors/errors.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { requireActiveAccount } from '../accounts/active-account.ts';
import { createApiToken, listApiTokens, revokeApiToken } from '../api-tokens/api-token-service.ts';
import type { Context } from '../context.ts';
import { formProblems } from '../html/form-problems.ts';
import type { Route } from '../http/route.ts';
import { tokenIdOf } from './form-nonce.ts';
import { type SettingsRequest, settingsForm, settingsPage } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';
import { readTokenForm, tokenFormPath, tokenInput, tokenMembers } from './token-form.ts';
import { type TokensPageOptions, tokenSecretPage, tokensPage } from './token-pages.ts';

const tab = settingsTabs.tokens;

export function tokenRoutes(context: Context): Route[] {
  return [
    settingsPage(context, tab, (request) => showTokens(context, request)),
    settingsForm(context, tab, tokenFormPath, (request, form) => createToken(context, request, form)),
    settingsForm(context, tab, `${tokenFormPath}/:tokenId/revoke`, revokeToken),
  ];
}

async function showTokens(
  { config }: Context,
  request: SettingsRequest,
  options: Omit<TokensPageOptions, 'tokens' | 'apiRoot'> = {},
  status = 200,
): Promise<void> {
  const tokens = await listApiTokens(request.session, request.visitor.account.id);
  request.show(tokensPage(request, { ...options, tokens, apiRoot: apiRootOf(config.baseUrl) }), { status });
}

const sentBefore =
  'This form was sent before, and its token is in the list below. A secret is shown only once: if you have not copied it, revoke that token and create another.';

async function createToken(context: Context, request: SettingsRequest, sent: URLSearchParams): Promise<void> {
  const { id: accountId, timezone } = request.visitor.account;
  const form = readTokenForm(sent);
  await requireActiveAccount(request.session, accountId);
  const tokenId = tokenIdOf(context.pageSecret, accountId, sent.get('nonce') ?? '');
  if (tokenId === undefined)
    return showTokens(context, request, { form, problem: 'Please send the form once more.' }, 400);
  try {
    const input = tokenInput(form, timezone);
    const { token, secret } = await createApiToken(request.session, accountId, input, tokenId);
    request.show(tokenSecretPage(token, secret, apiRootOf(context.config.baseUrl)));
  } catch (error) {
    const isRepeated = error instanceof AppError && error.code === 'invalid_state';
    if (isRepeated) return showTokens(context, request, { form, problem: sentBefore }, 409);
    return showTokens(context, request, { form, problems: formProblems(error, tokenMembers) }, 400);
  }
}

async function revokeToken(request: SettingsRequest): Promise<void> {
  const token = await revokeApiToken(request.session, request.id('tokenId'), request.visitor.account.id);
  if (token === null) throw notFound();
  request.done('token-revoked');
}
