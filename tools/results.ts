import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What bench and fault trials keep of a run, and how they put it into documents. */
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

export function readResults<Kept extends Result>(file: string): Kept[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** Replaces earlier results of the same ids. */
export function keepResult<Kept extends Result>(file: string, result: Kept): void {
  const others = readResults<Kept>(file).filter(({ id }) => id !== result.id);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify([...others, result], null, 2)}\n`);
}

/** Cells may hold anything; a line break becomes a blank. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n');
}

/** A sentence for each day and machine. */
export function describeEnvironments(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ ranAt, environment: { machine, node, redis } }) => {
    return `Measured on ${ranAt.slice(0, 10)}: ${machine}; Node ${node}, Redis ${redis}`;
  });
  const lines = [...groups].map(([line, of]) => {
    const loads = of.map(({ environment }) => environment.loadAverage);
    const ids = groups.size === 1 ? '' : `: ${of.map(({ id }) => id).join(', ')}`;
    return `${line}; load average before ${Math.min(...loads)} to ${Math.max(...loads)}${ids}.`;
  });
  return lines.join('\n');
}

/** Replaces what stands between `<!-- results: begin -->` and `<!-- results: end -->` of a document. */
export function writeResults(document: string, text: string): void {
  const file = path.join(projectFolder, document);
  const written = readFileSync(file, 'utf8');
  const [before, rest] = written.split('<!-- results: begin -->');
  const after = rest?.split('<!-- results: end -->')[1];
  if (after === undefined) throw new Error(`${document} lacks the marks of the results`);
  const results = `<!-- results: begin -->\n\n${text}\n\n<!-- results: end -->`;
  writeFileSync(file, `${before}${results}${after}`);
}
