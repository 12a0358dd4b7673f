import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { createOAuthEndpoints, type TokenAnswer } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest } from '#tests/oauth/oauth-flow.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import type { Stack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type TinyApp = {
  origin: string;
  clientId: string;
  /** Where the app sends its user's browser now. */
  begin(): string;
  /** What the browser brought back to the beginning that was made last. */
  answer(): Promise<URLSearchParams>;
  redeem(answer: URLSearchParams): Promise<{ status: number; body: TokenAnswer }>;
  refresh(refreshToken: string): Promise<{ status: number; body: TokenAnswer }>;
};

/** A program on the user's computer that registers, waits on a loopback port and keeps its tokens to itself. */
export async function startTinyApp(t: ExecutionContext, stack: Stack, clientName: string): Promise<TinyApp> {
  const answers: URLSearchParams[] = [];
  const server = createServer((req, res) => {
    answers.push(new URL(req.url ?? '', 'http://app').searchParams);
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end('<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>Back in the app</h1>');
  });
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const origin = `http://127.0.0.1:${port}`;
  const redirectUri = `${origin}/callback`;
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const registered = await endpoints.register({ redirect_uris: [redirectUri], client_name: clientName });
  const clientId = String(registered.body.client_id);
  let verifier = '';
  return {
    origin,
    clientId,
    begin() {
      const request = authorizationRequest(clientId, { redirect_uri: redirectUri });
      verifier = request.verifier;
      answers.splice(0);
      return endpoints.authorizeUrl(request.parameters);
    },
    answer: () =>
      waitFor(() => answers.at(-1), { what: 'the answer to the app', timeoutMilliseconds: 60_000 }),
    redeem: (answer) =>
      endpoints.token({
        grant_type: 'authorization_code',
        code: answer.get('code') ?? undefined,
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    refresh: (refreshToken) =>
      endpoints.token({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }),
  };
}
