import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { isOpenToOthers, type RunAs } from './postgres-account.ts';

/**
 * Outside the usual ranges of user ids; one per service, so that neither can read the other's memory or
 * files.
 */
const ids: Readonly<Record<ServiceName, number>> = { 'auth-server': 61_185, 'resource-api': 61_186 };

/**
 * The unprivileged user that a service runs as if this process is root. Undefined if it is not root, or that
 * user could not read the program or its data, as below a private folder.
 */
export function serviceAccount(service: ServiceName, dataDirectory: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const places = [process.execPath, import.meta.dirname, dataDirectory];
  return places.every(isOpenToOthers) ? { uid: ids[service], gid: ids[service] } : undefined;
}

/** A folder that only this user may read and write. */
export function makeOwnFolder(parent: string, name: string, runAs: RunAs): string {
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (runAs !== undefined) chownSync(folder, runAs.uid, runAs.gid);
  return folder;
}
