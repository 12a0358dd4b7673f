import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { projectFolder } from '../../architecture/source-files.ts';
import { createAddresses, type Gateway, startGateway } from '../gateway/run-gateway.ts';
import { readComposeFile } from './compose-file.ts';
import { type Stores, startStores } from './start-stores.ts';

export type DeployedReplica = {
  service: ServiceName;
  child: ChildProcess;
  ended: Promise<unknown[]>;
  /** The text of a path of the management port. */
  manage(path: string): Promise<string>;
};

/** What docker-compose.yml describes, with two replicas of each service, as processes of this machine. */
export type Deployment = {
  gateway: Gateway;
  stores: Stores;
  replicas: readonly DeployedReplica[];
  /** Runs the operator's command. Returns its line of JSON. */
  admin(...words: string[]): Promise<Record<string, string>>;
};

const replicaServices: readonly ServiceName[] = [
  'auth-server',
  'auth-server',
  'resource-api',
  'resource-api',
];
const startMilliseconds = 90_000;

export async function startDeployment(parts: AsyncDisposableStack): Promise<Deployment> {
  const nextAddress = createAddresses();
  const places = replicaServices.map((service) => ({ service, address: nextAddress() }));
  const stores = await startStores(parts);
  const owner = { teardown: (after: () => Promise<void>) => void parts.defer(after) };
  const gateway = await startGateway(owner, (service) =>
    places.filter((place) => place.service === service).map(({ address }) => address),
  );
  const start = (name: string, words: readonly string[], further: Readonly<Record<string, string>>) =>
    startProgram(parts, [name, ...words], {
      ...environmentOf(name, stores.secretsFolder),
      BASE_URL: gateway.baseUrl,
      ...further,
    });
  await outputOf(start('migrate', [], {}));
  const replicas = places.map(({ service, address }) => {
    const running = start(service, [], { HOST: address });
    const manage = async (path: string) => (await fetch(`http://${address}:9090${path}`)).text();
    return { ...running, service, manage };
  });
  await Promise.all(replicas.map(untilReady));
  await untilInUse(gateway, replicas);
  return {
    gateway,
    stores,
    replicas,
    admin: async (...words) => JSON.parse(await outputOf(start('admin', words, {}))),
  };
}

/** What the file gives the container, where secrets are files of /run/secrets; and a patience for busy machines. */
function environmentOf(name: string, secretsFolder: string): Record<string, string> {
  const given = Object.entries(readComposeFile().services[name]?.environment ?? {});
  return {
    ...programEnvironment,
    PORT: '8080',
    MANAGEMENT_PORT: '9090',
    ...Object.fromEntries(given.map(([key, value]) => [key, value.replace('/run/secrets', secretsFolder)])),
    DATABASE_WAIT_MILLISECONDS: '20000',
    REDIS_WAIT_MILLISECONDS: '10000',
  };
}

function startProgram(parts: AsyncDisposableStack, words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['deploy/container/run.ts', ...words], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const output = text(child.stdout);
  parts.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, output };
}

async function outputOf({ ended, output }: ReturnType<typeof startProgram>): Promise<string> {
  const [code] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}: ${await output}`);
  return output;
}

async function untilReady({ service, child, manage }: DeployedReplica): Promise<void> {
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${service} ended with ${child.exitCode}`);
    return (await manage('/readyz').catch(() => '')).includes('"ready"');
  };
  await waitFor(isReady, { timeoutMilliseconds: startMilliseconds, what: `${service} to be ready` });
}

/** The gateway has found every replica when each has answered a request. */
async function untilInUse(gateway: Gateway, replicas: readonly DeployedReplica[]): Promise<void> {
  const paths = { 'auth-server': '/oauth/jwks', 'resource-api': '/api/public/v1/openapi.json' };
  const isInUse = async () => {
    for (const path of Object.values(paths)) await (await fetch(gateway.baseUrl + path)).arrayBuffer();
    const metrics = await Promise.all(replicas.map(({ manage }) => manage('/metrics')));
    return metrics.every((page) => /^http_requests_total\{/m.test(page));
  };
  await waitFor(isInUse, { timeoutMilliseconds: 20_000, what: 'the gateway to use every replica' });
}
