import { type LogLevel, logLevels } from '#shared/config/service-env.ts';

export type ConsoleOutput = ReturnType<typeof createConsoleOutput>;

/** The output of `npm start`. */
export function createConsoleOutput(threshold: LogLevel, write: (line: string) => void) {
  let serviceThreshold: LogLevel = isShown('debug', threshold) ? threshold : 'warn';
  return {
    /** Shown at any log level. */
    say: write,
    log: (level: LogLevel, message: string) => {
      if (isShown(level, threshold)) write(formatLine('start', level, message));
    },
    /** A log line of a service. Until `endStartUp` only warnings and worse are shown. */
    serviceLine: (service: string, line: string) => {
      if (line.trim() === '') return;
      const record = parseRecord(line);
      // A library's warning, or the stack of a crash: shown at any log level.
      if (record === undefined) return write(formatLine(service, 'warn', line));
      const { level, message, time } = readRecord(record);
      if (isShown(level, serviceThreshold)) write(formatLine(service, level, message, time));
    },
    endStartUp: () => {
      serviceThreshold = threshold;
    },
  };
}

function isShown(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** A readable line: time, source, level, message. */
function formatLine(source: string, level: LogLevel, message: string, time = new Date()): string {
  return `${time.toTimeString().slice(0, 8)} ${source.padEnd(12)} ${level.padEnd(5)} ${message}`;
}

/** pino's JSON becomes a message with details. */
function readRecord(record: Record<string, unknown>): { level: LogLevel; message: string; time: Date } {
  const { level, time, msg, err, service: _service, pid: _pid, hostname: _hostname, ...details } = record;
  const named = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return {
    // pino's levels: trace is 10, debug 20, …
    level: logLevels[Number(level) / 10 - 1] ?? 'info',
    message: [msg, ...named, describeFault(err)].filter(Boolean).join('  '),
    time: new Date(String(time)),
  };
}

/** As the services' logger writes an error; undefined for none. */
function describeFault(err: unknown): string | undefined {
  if (!(err instanceof Object && 'message' in err)) return undefined;
  const stack = 'stack' in err ? `\n${err.stack}` : '';
  const cause = describeFault('cause' in err ? err.cause : undefined);
  return `${err.message}${stack}${cause === undefined ? '' : `\n  cause: ${cause}`}`;
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value instanceof Object && 'level' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
