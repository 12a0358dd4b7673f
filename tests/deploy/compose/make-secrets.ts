import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '../../architecture/source-files.ts';

export type MadeSecrets = {
  folder: string;
  /** Runs the script once more. Returns what it said. */
  makeAgain(): string;
  remove(): void;
};

/** The secrets of docker-compose.yml, made by the project's own script in a folder of temporary files. */
export function makeSecrets(): MadeSecrets {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'compose-'));
  const script = path.join(parent, 'make-secrets.sh');
  cpSync(path.join(projectFolder, 'deploy/compose/make-secrets.sh'), script);
  const makeAgain = () => execFileSync('/bin/sh', [script], { encoding: 'utf8' });
  makeAgain();
  return {
    folder: path.join(parent, 'secrets'),
    makeAgain,
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}
