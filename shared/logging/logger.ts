import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../config/service-env.ts';
import { waitAtMost } from '../time/wait-at-most.ts';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output, or to `destination`. Errors are reduced to type, message, code and stack: a
 * driver's error also contains parameters and rows.
 */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError, outage: describeOutage },
    },
    destination ?? openOutput(),
  );
}

/**
 * Buffered logging: a slow consumer delays no request. Lines beyond 16 MiB are dropped; `endLog` writes the
 * rest.
 */
const bufferedOutput = {
  fd: 1,
  sync: false,
  minLength: 8 * 1024,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 50,
};

let output: ReturnType<typeof pino.destination> | undefined;

/** On a full disk lines are dropped, and written again when there is space. */
function openOutput() {
  output = pino.destination(bufferedOutput).on('error', () => undefined);
  return output;
}

const lastLinesMilliseconds = 1_000;

/**
 * Call before an exit. What still can't be written then (a full disk, a reader that is gone) is dropped: pino
 * would try again for ever, and the process would neither serve nor end.
 */
export async function endLog(): Promise<void> {
  const { promise: isWritten, resolve } = Promise.withResolvers<void>();
  output?.flush(() => resolve());
  if (output) await waitAtMost(lastLinesMilliseconds, isWritten);
  output?.destroy();
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
  const described: DescribedError = { type: error.name, message: messageOf(error) };
  if ('code' in error) described.code = error.code;
  // The stack contains the message, and with it values.
  const lines = error.stack?.replace(error.message, '').split('\n') ?? [];
  described.stack = lines.filter((line) => /^ {4}at /.test(line)).join('\n');
  if (error.cause instanceof Error) described.cause = describeError(error.cause);
  return described;
}

/** For expected errors, without a stack. */
function describeOutage(error: unknown): Omit<DescribedError, 'stack'> {
  const { stack: _stack, cause: _cause, ...described } = describeError(error);
  return described;
}

/** The first line. JSON syntax errors and data exceptions (SQLSTATE 22…) quote the input. */
function messageOf(error: Error): string {
  const quotesInput =
    error instanceof SyntaxError || ('code' in error && String(error.code).startsWith('22'));
  const [message = ''] = error.message.split('\n', 1);
  return quotesInput ? 'left out, since it quotes the input' : message;
}
