import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { webAppDirectoryOf } from '#tests/support/service-settings.ts';
import { projectFolder } from '../../architecture/source-files.ts';
import { servedPackageFiles } from './dockerfile.ts';

type LockEntry = { dev?: boolean; optional?: boolean; devOptional?: boolean };

/** Read by the build and left out of the image. */
const buildFiles = ['.npmrc', 'package-lock.json'];

/**
 * The folder /app of the image: what .dockerignore admits, the packages of `npm ci --omit=dev --omit=optional`, what
 * the Dockerfile copies of others, and the web app as this run of the tests has built it.
 */
export function assembleImage(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'image-'));
  chmodSync(folder, 0o755);
  for (const name of [...admittedPaths(), ...productionPackages(), ...servedPackageFiles])
    cpSync(path.join(projectFolder, name), path.join(folder, name), { recursive: true, filter: isDelivered });
  cpSync(webAppDirectoryOf(projectFolder), path.join(folder, 'dist/app'), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

function admittedPaths(): string[] {
  const lines = readFileSync(path.join(projectFolder, '.dockerignore'), 'utf8').split('\n');
  return lines.flatMap((line) =>
    line.startsWith('!') && !buildFiles.includes(line.slice(1)) ? line.slice(1) : [],
  );
}

function productionPackages(): string[] {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(
    readFileSync(path.join(projectFolder, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(lock.packages)
    .filter(([name, { dev, optional, devOptional }]) => name !== '' && !dev && !optional && !devOptional)
    .map(([name]) => name);
}

/** Packages below a package are entries of their own; the build deletes what Node does not read. */
function isDelivered(source: string): boolean {
  const [, inPackage] = /node_modules\/(?:@[^/]+\/)?[^/]+\/(.*)$/.exec(source) ?? [];
  if (inPackage === undefined) return true;
  return !/(^|\/)node_modules$|\.(map|ts|mts|cts)$/.test(inPackage);
}
