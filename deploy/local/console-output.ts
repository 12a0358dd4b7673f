import type { LogLevel } from '#shared/logging/log-levels.ts';
import { formatLogLine, formatServiceLine, isShown } from './log-view.ts';
import { createRedactor } from './redact-secrets.ts';

/** Everything `npm start` shows. */
export type ConsoleOutput = {
  /** For the person at the keyboard, whatever the log level; the only way on which a secret may be shown. */
  say(message: string): void;
  log(level: LogLevel, message: string): void;
  /** A line that a service wrote. Until `endStartUp` only warnings and worse are shown, to keep the start readable. */
  serviceLine(service: string, line: string): void;
  endStartUp(): void;
  /** From now on these strings are taken out of every log line. */
  hide(...secrets: readonly string[]): void;
};

const LAUNCHER = 'start';

export function createConsoleOutput(threshold: LogLevel, write: (line: string) => void): ConsoleOutput {
  const secrets: string[] = [];
  let redact = createRedactor(secrets);
  let serviceThreshold: LogLevel = isShown('debug', threshold) ? threshold : 'warn';
  return {
    say: write,
    log: (level, message) => {
      if (isShown(level, threshold)) write(redact(formatLogLine(LAUNCHER, level, message)));
    },
    serviceLine: (service, line) => {
      const { level, text } = formatServiceLine(service, line);
      if (text !== '' && isShown(level, serviceThreshold)) write(redact(text));
    },
    endStartUp: () => {
      serviceThreshold = threshold;
    },
    hide: (...more) => {
      secrets.push(...more.filter((secret) => secret !== ''));
      redact = createRedactor(secrets);
    },
  };
}
