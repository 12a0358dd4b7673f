import { pino } from 'pino';
import type { Logger } from '#shared/logging/logger.ts';

export type RecordedLogger = { logger: Logger; linesWith(text: string): number };

/** A logger whose lines can be counted. */
export function createRecordedLogger(): RecordedLogger {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { logger, linesWith: (text) => lines.filter((line) => line.includes(text)).length };
}

export const awayMessage = 'Redis does not answer';
export const backMessage = 'Redis answers again';
