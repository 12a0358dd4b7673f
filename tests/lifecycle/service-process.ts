import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findFreePort } from '#local/free-port.ts';
import type { LogLine } from '#tests/support/captured-log.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type ServiceProcess = {
  child: ChildProcess;
  /** Of the public port. */
  root: string;
  /** Of the management port. */
  management: string;
  log: LogLine[];
  /** What the management port answers, undefined while nothing does. */
  probe(path: string): Promise<{ status: number; body: unknown } | undefined>;
  alive(): Promise<void>;
  ready(): Promise<void>;
  /** The first line of the log with this text. */
  logged(message: string): Promise<LogLine>;
  /** `[exit code, signal]`. */
  ended: Promise<unknown[]>;
};

export const serviceNames = ['auth-server', 'resource-api'] as const;

const programs = {
  'auth-server': 'services/auth-server/src/main.ts',
  'resource-api': 'services/resource-api/src/main.ts',
  'faulty-service': 'tests/lifecycle/faulty-service.ts',
};

type Owner = { teardown(after: () => Promise<void>): void };
type Options = {
  service: (typeof serviceNames)[number] | 'faulty-service';
  databaseUrl: string;
  environment?: Readonly<Record<string, string>>;
  /** A file descriptor instead of what is read here. */
  output?: number;
};

const startMilliseconds = 60_000;

/** A service as production runs it: its own process, without its gateway. Killed at the test's end. */
export async function launchService(owner: Owner, options: Options): Promise<ServiceProcess> {
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const child = spawn(process.execPath, [programs[options.service]], {
    env: {
      ...programEnvironment,
      BASE_URL: 'https://tasks.example.com',
      DATABASE_URL: options.databaseUrl,
      // A busy machine is no unavailable store.
      DATABASE_WAIT_MILLISECONDS: '20000',
      REDIS_URL: testRedisUrl(),
      KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      ...options.environment,
    },
    stdio: ['ignore', options.output ?? 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const log: LogLine[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => log.push(JSON.parse(line)));

  const management = `http://127.0.0.1:${managementPort}`;
  const probe: ServiceProcess['probe'] = (path) =>
    fetch(management + path, { headers: { Connection: 'close' } }).then(
      async (answer) => ({ status: answer.status, body: await answer.json() }),
      () => undefined,
    );
  const answers = async (path: string) => {
    const options = { timeoutMilliseconds: startMilliseconds, what: `200 from ${path}` };
    await waitFor(async () => (await probe(path))?.status === 200 || assertRunning(), options);
  };
  const assertRunning = (): undefined => {
    if (child.exitCode === null && child.signalCode === null) return;
    const end = `${options.service} has ended (${child.exitCode ?? child.signalCode})`;
    throw new Error(`${end}, having logged ${JSON.stringify(log)}`);
  };
  return {
    child,
    root: `http://127.0.0.1:${port}`,
    management,
    log,
    probe,
    alive: () => answers('/livez'),
    ready: () => answers('/readyz'),
    logged: (message) =>
      waitFor(() => log.find(({ msg }) => msg === message) ?? assertRunning(), {
        timeoutMilliseconds: startMilliseconds,
        what: `«${message}» in the log`,
      }),
    ended,
  };
}
