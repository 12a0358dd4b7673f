import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

export const projectFolder = path.join(import.meta.dirname, '..');

/** What figures were measured on, and the load of the minute before. */
export function describeMachine(): string {
  const [processor] = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  const redis = spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout ?? '';
  return [
    `${os.cpus().length} × ${processor?.model.trim()}, ${gigabytes} GiB, ${os.type()} ${os.release()}`,
    `Node ${process.versions.node}`,
    `Redis ${/v=(\S+)/.exec(redis)?.[1] ?? 'in JavaScript'}`,
    `load average ${os.loadavg()[0]?.toFixed(1)}`,
  ].join(', ');
}

/** Cells may hold anything; a line break becomes a blank. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');
}
