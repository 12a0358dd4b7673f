import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What bench and fault trials keep of a run. */
export type Result = {
  id: string;
  /** ISO 8601 */
  ranAt: string;
  durationSeconds: number;
  environment: MeasuredEnvironment;
};

type MeasuredEnvironment = {
  machine: string;
  node: string;
  redis: string;
  /** Of the minute before. */
  loadAverage: number;
};

export const projectFolder = path.join(import.meta.dirname, '..');

export function readMeasuredEnvironment(): MeasuredEnvironment {
  const [processor] = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  const redis = spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout ?? '';
  return {
    machine: `${os.cpus().length} × ${processor?.model.trim()}, ${gigabytes} GiB, ${os.type()} ${os.release()}`,
    node: process.versions.node,
    redis: /v=(\S+)/.exec(redis)?.[1] ?? 'the JavaScript one',
    loadAverage: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** Replaces earlier results of the same ids. */
export function keepResult<Kept extends Result>(file: string, result: Kept): void {
  const kept: Kept[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const others = kept.filter(({ id }) => id !== result.id);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify([...others, result], null, 2)}\n`);
}

/** Cells may hold anything; a line break becomes a blank. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');
}
