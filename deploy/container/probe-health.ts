import { text } from 'node:stream/consumers';
import { get } from '#shared/http/node-http.ts';

export const healthPaths = ['readyz', 'livez'] as const;
export type HealthPath = (typeof healthPaths)[number];

export type HealthAnswer = { isHealthy: boolean; text: string };

/** Less than any orchestrator waits, so that its log holds our reason and not «killed». */
const timeoutMilliseconds = 2_000;
/** Addresses to listen on that are no addresses to ask. */
const loopbackOf: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Asks a service on this machine; never throws. `host`: the address that it listens on. */
export async function probeHealth(target: {
  host: string | undefined;
  port: number;
  path: HealthPath;
}): Promise<HealthAnswer> {
  const host = target.host?.trim() ?? '';
  return new Promise((resolve) => {
    const request = get({
      host: loopbackOf[host] ?? host,
      port: target.port,
      path: `/${target.path}`,
      signal: AbortSignal.timeout(timeoutMilliseconds),
      agent: false,
    });
    const fail = (error: Error) => resolve({ isHealthy: false, text: error.message });
    request.once('error', fail);
    request.once('response', (answer) => {
      text(answer).then((body) => resolve({ isHealthy: answer.statusCode === 200, text: body }), fail);
    });
  });
}
