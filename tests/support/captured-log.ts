import { createLogger, type Logger } from '#shared/logging/logger.ts';
import { waitFor } from './wait-for.ts';

/** A log line with pino's level: 40 is a warning, 50 an error. */
export type LogLine = { level: number; msg: string; service: string } & Record<string, unknown>;

export type CapturedLog = {
  lines: LogLine[];
  loggerFor(service: string): Logger;
};

/** Stores the services' log instead of printing it. */
export function createCapturedLog(): CapturedLog {
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  return {
    lines,
    loggerFor: (service) => createLogger(service, 'trace', destination),
  };
}

/** Until Redis is connected a service counts requests by itself, and a test of limits would see it. */
export async function waitForRedis(log: CapturedLog, service: string): Promise<void> {
  const isReady = () => log.lines.some((line) => line.service === service && line.msg === 'Redis is ready');
  await waitFor(isReady, { what: `the Redis connection of ${service}` });
}
