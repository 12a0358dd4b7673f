import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { registerPath, tokenPath } from '#auth-server/oauth/oauth-paths.ts';

/*
 * The package better-auth with its OAuth provider over PostgreSQL, set to what a refresh does in the service:
 * public clients, JWTs of ten minutes signed with ES256, refresh tokens that rotate, are kept as hashes and
 * may be used again for 30 seconds. No limits and no log of requests. `GET /refresh-tokens` gives 16 refresh
 * tokens of a client that has registered. Arguments: the port, the database's URL, the folder the packages
 * are installed in.
 */
const [port, databaseUrl, folder = ''] = process.argv.slice(2);
const load = createRequire(path.join(folder, 'package.json'));
const { betterAuth }: { betterAuth(options: object): Auth } = load('better-auth');
const { getMigrations }: { getMigrations(options: object): Promise<Migrations> } =
  load('better-auth/db/migration');
const { jwt }: { jwt(options: object): object } = load('better-auth/plugins');
const { oauthProvider }: { oauthProvider(options: object): object } = load('@better-auth/oauth-provider');
const { Pool }: { Pool: new (options: object) => object } = load('pg');

type Migrations = { runMigrations(): Promise<void> };
type Auth = { handler(request: Request): Promise<Response>; $context: Promise<AuthContext> };
type AuthContext = {
  internalAdapter: { createUser(user: object): Promise<{ id: string }> };
  adapter: { create(row: { model: string; data: object }): Promise<unknown> };
};

const origin = `http://127.0.0.1:${port}`;
const basePath = '/api/auth';
const scopes = ['read', 'write', 'offline_access'];
const resource = `${origin}/api`;
const lifeSeconds = { access: 600, refresh: 2_592_000, reuse: 30 };
const paths: Record<string, string> = {
  [tokenPath]: `${basePath}/oauth2/token`,
  [registerPath]: `${basePath}/oauth2/register`,
};

const options = {
  baseURL: origin,
  basePath,
  secret: randomBytes(32).toString('base64url'),
  database: new Pool({ connectionString: databaseUrl, max: 10 }),
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  disabledPaths: ['/token'],
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: '/sign-in',
      consentPage: '/consent',
      scopes,
      resources: [{ identifier: resource, name: 'API' }],
      clientRegistrationDefaultResources: [resource],
      allowDynamicClientRegistration: true,
      allowUnauthenticatedClientRegistration: true,
      accessTokenExpiresIn: lifeSeconds.access,
      refreshTokenExpiresIn: lifeSeconds.refresh,
      refreshTokenReuseInterval: lifeSeconds.reuse,
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);

async function registerClient(): Promise<string> {
  const response = await fetch(origin + registerPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['https://app.example.com/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: scopes.join(' '),
    }),
  });
  const { client_id }: { client_id: string } = JSON.parse(await response.text());
  return client_id;
}

/** As the exchange of a code leaves it. */
async function makeRefreshToken(clientId: string, number: number): Promise<string> {
  const { internalAdapter, adapter } = await auth.$context;
  const { id: userId } = await internalAdapter.createUser({
    email: `${number}@example.com`,
    name: 'Somebody',
  });
  const token = randomBytes(24).toString('base64url');
  const [createdAt, expiresAt] = [0, lifeSeconds.refresh].map(
    (seconds) => new Date(Date.now() + seconds * 1_000),
  );
  const hash = createHash('sha256').update(token).digest('base64url');
  await adapter.create({
    model: 'oauthRefreshToken',
    data: { token: hash, clientId, userId, scopes, resources: [resource], createdAt, expiresAt },
  });
  return token;
}

async function makeApps(): Promise<Response> {
  const clientId = await registerClient();
  const numbers = Array.from({ length: 16 }, (_, number) => number);
  const refreshTokens = await Promise.all(numbers.map((number) => makeRefreshToken(clientId, number)));
  return Response.json({ clientId, refreshTokens });
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = req;
  const target = new URL(paths[url] ?? url, origin);
  const body = method === 'POST' ? await text(req) : undefined;
  const request = new Request(target, { method, headers: { ...headers } as Record<string, string>, body });
  const response = await (url === '/refresh-tokens' ? makeApps() : auth.handler(request));
  const content = Buffer.from(await response.arrayBuffer());
  res.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'Content-Length': content.length,
  });
  res.end(content);
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
});
server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
