import { type LogLevel, logLevels } from '#shared/logging/log-levels.ts';

/** pino's numbers. */
const LEVEL_NUMBERS: Record<number, LogLevel> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** Shown by themselves, or of no use to a reader. */
const NOT_DETAILS = new Set([
  'level',
  'time',
  'msg',
  'service',
  'err',
  'requestId',
  'pid',
  'hostname',
  'name',
]);
const SOURCE_WIDTH = 12;
const LEVEL_WIDTH = 5;

/** One line for people: time, source, level, message, details. */
export function formatLogLine(source: string, level: string, message: string, time = new Date()): string {
  const clock = time.toTimeString().slice(0, 8);
  return `${clock} ${source.padEnd(SOURCE_WIDTH)} ${level.padEnd(LEVEL_WIDTH)} ${message}`;
}

/** A service's line for people: JSON as pino writes it is put into words, anything else is shown as it is. */
export function formatServiceLine(service: string, line: string): { level: LogLevel; text: string } {
  const record = parseRecord(line);
  if (!record) return { level: 'error', text: line.trim() && formatLogLine(service, 'error', line) };
  const level = LEVEL_NUMBERS[Number(record.level)] ?? 'info';
  const time = new Date(String(record.time));
  const parts = [String(record.msg ?? ''), ...details(record)];
  if (record.requestId) parts.push(`request ${record.requestId}`);
  const message = [parts.filter(Boolean).join('  '), ...describeError(record.err)].join('\n');
  return {
    level,
    text: formatLogLine(service, level, message, Number.isNaN(time.valueOf()) ? new Date() : time),
  };
}

/** Whether lines of this level are wanted when `threshold` is set. */
export function isShown(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return value instanceof Object && 'level' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function details(record: Record<string, unknown>): string[] {
  return Object.entries(record)
    .filter(([name, value]) => !NOT_DETAILS.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
}

function describeError(error: unknown): string[] {
  if (!(error instanceof Object)) return [];
  const { type, message, code, stack } = { type: '', message: '', code: '', stack: '', ...error };
  const headline = `${type}${code ? ` ${code}` : ''}: ${message}`;
  const frames = String(stack)
    .split('\n')
    .filter((frame) => /^\s+at /.test(frame));
  return [`    ${headline}`, ...frames.map((frame) => `    ${frame.trim()}`)];
}
