import type { Scope } from '#shared/scopes.ts';
import { createTokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import type { Stack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';

/** A token of an account with exactly these scopes, by the name of its kind. */
type TokenKinds = Record<string, (account: TestAccount, scopes: readonly Scope[]) => Promise<string>>;

/** Every kind of token that the API takes: each is looked up in another way. Needs auth-server. */
export async function createTokenKinds(stack: Stack): Promise<TokenKinds> {
  const issuer = await createTokenIssuer(stack);
  const personal = async (account: TestAccount, scopes: readonly Scope[]) =>
    (await stack.createToken(account, { scopes })).secret;
  return {
    'a personal token': personal,
    'an exchanged token': async (account, scopes) => {
      const subjectToken = await personal(account, scopes);
      const answer = await stack.anonymous.post<{ accessToken: string }>('/auth/token', { subjectToken });
      if (answer.status !== 200) throw new Error(`the exchange answers ${answer.status}`);
      return answer.body.accessToken;
    },
    'an app’s token': async (account, scopes) => {
      // Nothing on record may be without a scope; a token may name those of another server alone.
      const app = await issuer.connectApp(account, scopes.length === 0 ? {} : { scopes });
      return issuer.issue(app, { claims: { scope: scopes.join(' ') || 'openid' } });
    },
  };
}
