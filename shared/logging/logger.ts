import { type Logger, pino } from 'pino';
import type { LogLevel } from './log-levels.ts';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. Errors are reduced to type, message, code and stack: a driver's error
 * also carries the statement's parameters and the row's values, which are the users' words.
 */
export function createLogger(service: string, level: LogLevel): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
}

type DescribedError = {
  type: string;
  message: string;
  code?: unknown;
  stack?: string;
  cause?: DescribedError;
};

function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is no Error was thrown' };
  // MikroORM and pg append the failed statement with its values after the first line.
  const [message = ''] = error.message.split('\n');
  const described: DescribedError = { type: error.name, message: withoutStatement(message) };
  if ('code' in error) described.code = error.code;
  // The stack repeats the message, and with it the values; only the frames are wanted.
  const frames = error.stack?.replace(error.message, '').split('\n').slice(1);
  if (frames) described.stack = frames.join('\n');
  if (error.cause instanceof Error) described.cause = describeError(error.cause);
  return described;
}

/** MikroORM words its errors «statement - reason»; the statement holds the values it was run with. */
function withoutStatement(message: string): string {
  const isStatement = /^\s*(select|insert|update|delete|with|begin|commit)\b/i.test(message);
  return isStatement ? message.slice(message.lastIndexOf(' - ') + 3) : message;
}
