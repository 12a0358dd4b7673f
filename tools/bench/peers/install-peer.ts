import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from '../stage/bench.ts';

/** A program from npm that others run in production, in a folder of its own. It is no dependency of the project. */
export type InstalledPeer = { name: string; version: string; folder: string };

/** Kept from run to run, until the project's packages are installed anew. */
const keptPeers = path.join(import.meta.dirname, '../../../node_modules/.cache/bench-peers');
const manifest = 'package.json';
const lockFile = 'package-lock.json';

/**
 * The packages that the peer's lock file names, and no install script of theirs. Throws an Error where npm can't bring
 * them.
 */
export async function installPeer(
  { environment, report, signal }: Pick<Bench, 'environment' | 'report' | 'signal'>,
  name: string,
): Promise<InstalledPeer> {
  const source = path.join(import.meta.dirname, name);
  const version = readVersion(path.join(source, manifest), name);
  const digest = createHash('sha256').update(readFileSync(path.join(source, lockFile)));
  const folder = path.join(keptPeers, `${name}-${version}-${digest.digest('hex').slice(0, 8)}`);
  if (existsSync(folder)) return { name, version, folder };
  mkdirSync(keptPeers, { recursive: true });
  // Under its name only when it is whole.
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    for (const file of [manifest, lockFile])
      copyFileSync(path.join(source, file), path.join(unfinished, file));
    report(`installing ${name} ${version} into ${path.relative('.', folder)}, once`);
    const options = ['--ignore-scripts', '--prefer-offline', '--loglevel=error', '--prefix', unfinished];
    await promisify(execFile)('npm', ['ci', ...options], { cwd: unfinished, env: environment, signal });
    renameSync(unfinished, folder);
  } catch (error) {
    throw new Error(`${name} ${version} could not be installed: ${reasonOf(error)}`, { cause: error });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return { name, version, folder };
}

function readVersion(file: string, name: string): string {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'));
  const version = dependencies[name];
  if (version === undefined) throw new Error(`${file} does not name ${name}`);
  return version;
}

/** npm's first words; they name the address or the package. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return said === '' ? String(error) : said.split('\n').slice(0, 4).join('; ');
}
