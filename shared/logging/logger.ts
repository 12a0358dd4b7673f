import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './log-levels.ts';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output, or where `destination` says. Errors are reduced to type, message, code and stack: a driver's error
 * also carries the statement's parameters and the row's values, which are the users' words.
 */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: createTimeMember(),
    serializers: { err: describeError, outage: describeOutage },
  };
  return pino(options, destination ?? standardOutput());
}

/** Writes the time as an instant, as pino's `isoTime` does, but most of its text only once a second. */
function createTimeMember(): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (Math.floor(now / 1_000) !== second) {
      second = Math.floor(now / 1_000);
      text = `,"time":"${new Date(now).toISOString().slice(0, -'000Z'.length)}`;
    }
    return `${text}${String(now % 1_000).padStart(3, '0')}Z"`;
  };
}

/** Enough for a burst. Lines beyond it are lost. */
const mostBufferedBytes = 16 * 1024 * 1024;
/** Lines are collected up to this, or for so long: to write each by itself takes a tenth of a small request's time. */
const writtenTogetherBytes = 8 * 1024;
const collectMilliseconds = 50;

/**
 * Written beside the work, and the rest at the exit: a reader of the log that is slow or stands still stalls nobody.
 * A process that is killed takes the lines of the last moment with it.
 */
function standardOutput(): DestinationStream & { flushSync(): void } {
  const output = pino.destination({
    fd: 1,
    sync: false,
    minLength: writtenTogetherBytes,
    maxLength: mostBufferedBytes,
  });
  let isCollecting = false;
  const writeCollected = (): void => {
    isCollecting = false;
    output.flush();
  };
  return {
    write(line) {
      output.write(line);
      if (isCollecting) return;
      isCollecting = true;
      setTimeout(writeCollected, collectMilliseconds).unref();
    },
    // pino asks for it after a fatal line.
    flushSync: () => output.flushSync(),
  };
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
  // The stack repeats the message, and with it the values; only the frames are wanted.
  const lines = error.stack?.replace(error.message, '').split('\n') ?? [];
  described.stack = lines.filter((line) => /^ {4}at /.test(line)).join('\n');
  if (error.cause instanceof Error) described.cause = describeError(error.cause);
  return described;
}

/** An error that says enough without telling where in the code it was noticed. */
function describeOutage(error: unknown): Omit<DescribedError, 'stack'> {
  const { stack: _stack, cause: _cause, ...described } = describeError(error);
  return described;
}

/** The first line of the reason, without what it quotes of the input. */
function messageOf(error: Error): string {
  const [message = ''] = withoutStatement(error.message).trimStart().split('\n', 1);
  const quotesInput = error instanceof SyntaxError || ('code' in error && /^22/.test(String(error.code)));
  const quote = quotesInput ? message.search(/["'`]/) : -1;
  return quote < 0 ? message : `${message.slice(0, quote)}…`;
}

/**
 * MikroORM words its errors «statement - reason». The statement holds the values it was run with, line breaks and
 * hyphens among them.
 */
function withoutStatement(message: string): string {
  const isStatement = /^\s*(select|insert|update|delete|with|begin|commit)\b/i.test(message);
  return isStatement ? message.slice(message.lastIndexOf(' - ') + 3) : message;
}
