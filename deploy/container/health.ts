import { type HealthPath, healthPaths, probeHealth } from './probe-health.ts';

/*
 * The image's health check, which has neither a shell nor curl: `node dist/health.js [readyz|livez]` asks
 * the service of this container. Ends with 0 when it says yes, 1 when not, 2 when called wrongly.
 */
const isHealthPath = (text: string): text is HealthPath => healthPaths.some((path) => path === text);

const [path = 'readyz', ...rest] = process.argv.slice(2);
const port = Number(process.env.MANAGEMENT_PORT);

if (!isHealthPath(path) || rest.length > 0) {
  console.error(`Usage: health.js [${healthPaths.join('|')}]`);
  process.exitCode = 2;
} else if (!(port >= 1 && port <= 65_535)) {
  console.error('MANAGEMENT_PORT must be set');
  process.exitCode = 2;
} else {
  const answer = await probeHealth({ host: process.env.HOST, port, path });
  console.log(answer.text);
  process.exitCode = answer.isHealthy ? 0 : 1;
}
