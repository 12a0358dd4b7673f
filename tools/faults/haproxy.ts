import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnDependent, stopProcess } from '#local/child-process.ts';
import { canListen } from '#local/free-port.ts';
import { OWNED_PATHS, ROOT_OWNER, type ServiceName } from '#shared/http/path-ownership.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { requireProgram } from './missing-program.ts';

export type ProxiedReplica = { service: ServiceName; port: number; managementPort: number };

export type LoadBalancer = { close(): Promise<void> };

const program = 'haproxy';
const checkMilliseconds = 500;
/** Until haproxy knows of a replica that has become ready (after one check) or unready (after two). */
export const healthNoticeMilliseconds = 2 * checkMilliseconds;
const services: readonly ServiceName[] = ['auth-server', 'resource-api'];

/** Throws MissingProgramError. */
export function requireHaproxy(): void {
  requireProgram(program, '-v');
}

/**
 * haproxy in front of the replicas, as an operator would set it up: paths by owner, health by readiness, and a
 * request sent once more only when no connection came about.
 */
export async function startLoadBalancer(
  directory: string,
  port: number,
  replicas: readonly ProxiedReplica[],
): Promise<LoadBalancer> {
  const file = path.join(directory, 'haproxy.cfg');
  writeFileSync(file, configuration(port, replicas));
  const log = openSync(path.join(directory, 'haproxy.log'), 'a');
  const child = spawnDependent(program, ['-db', '-f', file], {
    cwd: directory,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  await waitFor(async () => child.exitCode !== null || !(await canListen(port, '127.0.0.1')), {
    what: 'haproxy to listen',
  });
  if (child.exitCode !== null) throw new Error('haproxy refused its configuration');
  return { close: () => stopProcess(child, 'SIGTERM', 2_000) };
}

/** `http-reuse` and `retry-on` are the program's defaults, named because what clients see depends on them. */
function configuration(port: number, replicas: readonly ProxiedReplica[]): string {
  const rules = OWNED_PATHS.toSorted((left, right) => right.path.length - left.path.length).flatMap(
    ({ path: owned, owner }) => [
      `  use_backend ${owner} if { path ${owned} }`,
      `  use_backend ${owner} if { path_beg ${owned}/ }`,
    ],
  );
  const backends = services.flatMap((service) => [
    `backend ${service}`,
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  http-reuse safe',
    ...replicas
      .filter((replica) => replica.service === service)
      .map(
        ({ port: target, managementPort }, index) =>
          `  server replica${index} 127.0.0.1:${target} check port ${managementPort} inter ${checkMilliseconds}ms fall 2 rise 1`,
      ),
  ]);
  return [
    'global',
    '  maxconn 4000',
    '  nbthread 1',
    'defaults',
    '  mode http',
    '  timeout connect 1s',
    '  timeout check 2s',
    '  timeout client 75s',
    '  timeout http-keep-alive 60s',
    '  timeout server 30s',
    '  option forwardfor',
    '  option redispatch 1',
    '  retries 3',
    '  retry-on conn-failure',
    'frontend front',
    `  bind 127.0.0.1:${port}`,
    `  use_backend ${ROOT_OWNER} if { path / }`,
    ...rules,
    ...backends,
    '',
  ].join('\n');
}
