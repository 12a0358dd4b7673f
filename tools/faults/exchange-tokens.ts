import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createKeepAliveClient } from './keep-alive-client.ts';

/** Exchanges personal tokens for JWTs at auth-server, one by one. Throws an Error when one is refused. */
export async function exchangeTokens(authUrl: string, secrets: readonly string[]): Promise<string[]> {
  const client = createKeepAliveClient(authUrl);
  try {
    const tokens: string[] = [];
    for (const subjectToken of secrets) {
      const answer = await client.send({
        method: 'POST',
        path: `${apiRootPath}/auth/token`,
        body: { subjectToken },
      });
      if (answer.outcome !== 200)
        throw new Error(`a token was not exchanged: ${answer.outcome} ${answer.body}`);
      const { accessToken }: { accessToken: string } = JSON.parse(answer.body);
      tokens.push(accessToken);
    }
    return tokens;
  } finally {
    client.close();
  }
}
