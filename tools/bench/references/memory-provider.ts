import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { Provider } from 'oidc-provider';
import { tokenPath } from '#auth-server/oauth/oauth-paths.ts';

/*
 * The package oidc-provider as it comes, with its adapter that keeps everything in memory and with the settings that
 * decide how much work a refresh is: rotation, JWT access tokens signed with ES256. No limits, no logs, no metrics.
 * `GET /refresh-tokens` gives 16 refresh tokens of a public client. Argument: the port.
 */
const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const audience = `${issuer}/api`;
const clientId = 'app';
const scope = 'read write';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const provider = new Provider(issuer, {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key', alg: 'ES256', use: 'sig' }] },
  clients: [
    {
      client_id: clientId,
      redirect_uris: ['https://app.example.com/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  routes: { token: tokenPath },
  scopes: ['read', 'write'],
  clientAuthMethods: ['none'],
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        audience,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});

async function makeRefreshToken(number: number): Promise<string> {
  const accountId = `account-${number}`;
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error('the client is not there');
  const grant = new provider.Grant({ accountId, clientId });
  grant.addResourceScope(audience, scope);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId,
    client,
    grantId,
    gty: 'authorization_code',
    scope,
    resource: audience,
  });
  return token.save();
}

const handle = provider.callback();
const server = createServer((req, res) => {
  if (req.url !== '/refresh-tokens') {
    void handle(req, res);
    return;
  }
  void Promise.all(Array.from({ length: 16 }, (_, number) => makeRefreshToken(number))).then((tokens) => {
    const text = JSON.stringify(tokens);
    res.writeHead(200, { 'Content-Length': Buffer.byteLength(text) }).end(text);
  });
});
server.listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
