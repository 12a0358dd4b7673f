import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { findFreePort } from '#local/free-port.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startNameServer } from './name-server.ts';

export type Gateway = {
  child: ChildProcess;
  port: number;
  baseUrl: string;
  /** The requests it has logged so far, as it wrote them. */
  log: string[];
  ended: Promise<unknown[]>;
};

type Owner = { teardown(after: () => Promise<void>): void };

export const configurationFile = path.join(import.meta.dirname, '../../../deploy/gateway/haproxy.cfg');

/** Only Linux has a whole network of loopback addresses. */
const version = process.platform === 'linux' ? installedVersion() : undefined;
export const isHaproxyHere = version !== undefined;

/** A test that needs HAProxy: skipped where it is missing, and its title says so. */
export const testWithHaproxy = testWithProgram('HAProxy', isHaproxyHere);
export const serialTestWithHaproxy = testWithProgram('HAProxy', isHaproxyHere, test.serial);

/** The same for what HAProxy can do since 3.2.3: refuse what is no request with the configured answers. */
export const testWithRecentHaproxy = testWithProgram('HAProxy 3.2.3', (version ?? 0) >= 3_002_003);

/** Comparable: 3.2.23 is 3,002,023. */
function installedVersion(): number | undefined {
  const { stdout, status } = spawnSync('haproxy', ['-v'], { encoding: 'utf8' });
  const [, major, minor, patch] = /version (\d+)\.(\d+)[.-](?:dev)?(\d+)/.exec(stdout ?? '') ?? [];
  return status === 0 ? Number(major) * 1_000_000 + Number(minor) * 1_000 + Number(patch) : undefined;
}

/** Loopback addresses that no other test uses: replicas have the ports of the configuration. */
export function createAddresses(): () => string {
  const network = `127.${randomInt(64, 255)}.${randomInt(255)}`;
  let last = 1;
  return () => `${network}.${++last}`;
}

/** HAProxy with the very configuration of the deployment; names are looked up in `addressesOf` all the time. */
export async function startGateway(
  owner: Owner,
  addressesOf: (service: ServiceName) => readonly string[],
): Promise<Gateway> {
  const names = await startNameServer((name) =>
    name === 'auth-server' || name === 'resource-api' ? addressesOf(name) : [],
  );
  const port = await findFreePort();
  const child = spawn('haproxy', ['-db', '-f', configurationFile], {
    env: {
      PATH: process.env.PATH,
      GATEWAY_BIND: `127.0.0.1:${port}`,
      GATEWAY_HEALTH_BIND: `127.0.0.1:${await findFreePort()}`,
      GATEWAY_NAMESERVER: names.address,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const log: string[] = [];
  const warnings: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Beside them it tells in words how replicas come and go.
    if (line.startsWith('{')) log.push(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => warnings.push(line));
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    await names.close();
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitFor(
    () => {
      if (child.exitCode !== null)
        throw new Error(`HAProxy refused its configuration: ${warnings.join('\n')}`);
      return fetch(baseUrl).then(
        () => true,
        () => false,
      );
    },
    { what: 'HAProxy to listen' },
  );
  return { child, port, baseUrl, log, ended };
}
