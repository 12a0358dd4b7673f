import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from '#local/free-port.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type Target = { port: number; managementPort: number };
type Targets = Readonly<Record<ServiceName, readonly Target[]>>;

export type Gateway = {
  child: ChildProcess;
  port: number;
  baseUrl: string;
  /** Everything that it has written, once it has ended. */
  log: Promise<string>;
};

export const gatewayFolder = path.join(import.meta.dirname, '../../../deploy/gateway');
export const isHaproxyInstalled = spawnSync('haproxy', ['-v']).status === 0;

/** The configuration of the deployment, with these replicas instead of those of its name server. */
function configurationFor(targets: Targets): string {
  const written = readFileSync(path.join(gatewayFolder, 'haproxy.cfg'), 'utf8');
  const placed = (Object.keys(targets) as ServiceName[]).reduce((configuration, service) => {
    const servers = targets[service].map(
      ({ port, managementPort }, index) =>
        `  server replica-${index} 127.0.0.1:${port} check port ${managementPort}\n`,
    );
    return configuration.replace(
      new RegExp(`^(backend ${service}\n)  server-template .*\n`, 'm'),
      `$1${servers.join('')}`,
    );
  }, written);
  // Replicas of a loaded machine respond late, and are not down.
  const patient = placed.replaceAll(/timeout (connect|check) \d+s/g, 'timeout $1 20s');
  return patient.replace('default-path config', `default-path origin ${gatewayFolder}`);
}

/** HAProxy in front of these replicas; it listens on `port` of loopback, a free one unless given. */
export async function startGateway(
  parts: AsyncDisposableStack,
  targets: Targets,
  port?: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-'));
  parts.defer(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(targets));
  const ownPort = port ?? (await findFreePort());
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: {
      PATH: process.env.PATH,
      GATEWAY_BIND: `127.0.0.1:${ownPort}`,
      GATEWAY_HEALTH_BIND: `127.0.0.1:${await findFreePort()}`,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const log = text(child.stdout);
  const errors = text(child.stderr);
  parts.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const baseUrl = `http://127.0.0.1:${ownPort}`;
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy refused its configuration: ${await errors}`);
    return fetch(baseUrl, { redirect: 'manual' }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
  };
  await waitFor(isListening, { timeoutMilliseconds: 20_000, what: 'HAProxy to listen' });
  return { child, port: ownPort, baseUrl, log };
}
