import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { captureErrors, describeEnd, endOf, spawnDependent } from './child-process.ts';
import { isOpenToOthers, type RunAs, unprivilegedUser } from './postgres-account.ts';
import { findPostgresPrograms } from './postgres-programs.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const clusterFolder = 'cluster';
export const superuser = 'app';

export type Cluster = {
  /** The folder of the cluster: the given directory, unless PostgreSQL's user cannot access it. */
  home: string;
  dataDirectory: string;
  password: string;
  /** The folder with PostgreSQL's programs. */
  programs: string;
  /** For each process of PostgreSQL. The language is fixed, since messages are matched by text. */
  processOptions: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
};

/** The file with the cluster's location, if that is elsewhere. */
const locationFile = 'location.json';
/** Only root can write there. */
const rootFolder = '/var/lib/task-management-service';

/** `isDurable` false does not sync the new files: for disposable data. */
type ClusterOptions = { isDurable: boolean; onCreate(): void };

/** The cluster of this directory, created first if there is none. */
export async function openCluster(directory: string, options: ClusterOptions): Promise<Cluster> {
  const isRoot = process.getuid?.() === 0;
  mkdirSync(directory, { recursive: true, mode: isRoot ? 0o711 : 0o700 });
  const runAs = unprivilegedUser(path.join(directory, clusterFolder));
  const home = homeOf(directory, runAs);
  const folder = path.join(home, clusterFolder);
  const programs = findPostgresPrograms(runAs, home);
  const processOptions = { ...runAs, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } };
  const password = path.join(folder, 'password');
  const cluster = { home, dataDirectory: path.join(folder, 'data'), programs, processOptions };
  if (!existsSync(folder)) {
    options.onCreate();
    await createCluster(cluster, folder, options);
  }
  return { ...cluster, password: readFileSync(password, 'utf8') };
}

/** Whether a cluster exists for this directory, wherever it is. */
export function hasCluster(directory: string): boolean {
  return existsSync(path.join(directory, clusterFolder)) || recordedLocation(directory) !== undefined;
}

/** Deletes a stopped cluster and its files, wherever they are. */
export function removeEmbeddedPostgres(directory: string): void {
  const home = recordedLocation(directory)?.home;
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
}

/** If PostgreSQL's user cannot access the directory (below /root), the cluster is created elsewhere. */
function homeOf(directory: string, runAs: RunAs): string {
  const place = realpathSync(directory);
  const recorded = recordedLocation(directory);
  if (recorded !== undefined) {
    const { home, directory: original = place } = recorded;
    if (!existsSync(home)) throw new Error(`the database of ${directory} was kept in ${home}, which is gone`);
    // A copy of the folder names the original's database and must not change it. A moved folder may.
    if (original !== place && recordedLocation(original)?.home === home)
      throw new Error(
        `${directory} is a copy of ${original}, whose database is in ${home}: copy that, too (cp -a), ` +
          `and write the name of its copy in ${path.join(directory, locationFile)} as {"home":"…"}`,
      );
    if (recorded.directory !== place) recordLocation({ home, directory: place });
    return home;
  }
  const isUsable = existsSync(path.join(directory, clusterFolder)) || isOpenToOthers(directory);
  if (runAs === undefined || isUsable) return directory;
  mkdirSync(rootFolder, { recursive: true, mode: 0o711 });
  const home = mkdtempSync(path.join(rootFolder, 'data-'));
  chmodSync(home, 0o711);
  recordLocation({ home, directory: place });
  return home;
}

/** The cluster's folder, and the directory whose cluster it is. */
type Location = { home: string; directory: string };

function recordLocation(location: Location): void {
  writeFileAtomically(path.join(location.directory, locationFile), JSON.stringify(location));
}

/** Written by hand, for a copy, it names no directory. */
function recordedLocation(directory: string): (Partial<Location> & { home: string }) | undefined {
  const file = path.join(directory, locationFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Created under a temporary name and renamed, so that a killed start leaves no incomplete cluster. */
async function createCluster(
  { home, programs, processOptions }: Omit<Cluster, 'password'>,
  folder: string,
  { isDurable }: ClusterOptions,
): Promise<void> {
  const remains = readdirSync(home).filter((name) => name.startsWith('initialising'));
  for (const name of remains) rmSync(path.join(home, name), { recursive: true, force: true, maxRetries: 5 });
  // A name of its own: initdb of a start that was just killed may still write to the one before.
  const staged = mkdtempSync(path.join(home, 'initialising-'));
  const passwordFile = path.join(staged, 'password');
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const { uid, gid } = processOptions;
  if (uid !== undefined && gid !== undefined)
    for (const place of [staged, passwordFile]) chownSync(place, uid, gid);
  const options = ['-D', path.join(staged, 'data'), '-U', superuser, '--pwfile', passwordFile];
  options.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C');
  if (!isDurable) options.push('--no-sync');
  const child = spawnDependent(path.join(programs, 'initdb'), options, {
    ...processOptions,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = captureErrors(child);
  const end = await endOf(child);
  if (end.code !== 0) throw new Error(`initdb ${describeEnd(end)}: ${await errors()}`);
  renameSync(staged, folder);
}
