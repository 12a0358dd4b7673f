/*
 * The image's health check (the image has no shell and no curl): `node deploy/container/health.ts
 * [readyz|livez]`. Exit code 0: healthy; 1: unhealthy; 2: usage error.
 */
const paths = ['readyz', 'livez'];
/** Shorter than orchestrators' timeouts, so that their log has our reason. */
const timeoutMilliseconds = 2_000;
/** Wildcard addresses, and the addresses to connect to. */
const loopbackOf: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

const [path = 'readyz', ...rest] = process.argv.slice(2);
const port = Number(process.env.MANAGEMENT_PORT);

if (!paths.includes(path) || rest.length > 0 || !(port >= 1 && port <= 65_535)) {
  console.error(`Usage: MANAGEMENT_PORT=PORT health.ts [${paths.join('|')}]`);
  process.exitCode = 2;
} else {
  process.exitCode = (await isHealthy(process.env.HOST?.trim() ?? '')) ? 0 : 1;
}

async function isHealthy(listenHost: string): Promise<boolean> {
  const host = loopbackOf[listenHost] ?? listenHost;
  const address = host.includes(':') ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(`http://${address}:${port}/${path}`, { signal });
    console.log(await response.text());
    return response.ok;
  } catch (error) {
    console.log(String(error));
    return false;
  }
}

export {};
