import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { projectFolder } from '../../architecture/source-files.ts';

export type ComposeService = {
  image: string;
  build?: { context: string; dockerfile: string };
  user?: string;
  command?: string[];
  env_file?: { path: string; required: boolean }[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks: string[];
  ports?: string[];
  volumes?: string[];
  tmpfs: string[];
  restart: string;
  read_only?: boolean;
  privileged?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  logging?: { options: Record<string, string> };
  healthcheck?: { disable?: boolean; test?: string[] };
  deploy?: { resources: { limits: { cpus: string; memory: string; pids: number } } };
  depends_on?: Record<string, { condition: string }>;
};

type ComposeFile = {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
};

/** With its aliases and merges resolved. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(path.join(projectFolder, 'docker-compose.yml'), 'utf8'), { merge: true });
}

/** The folder of the secrets that deploy/compose/make-secrets.sh makes, and the script itself. */
export type MadeSecrets = { folder: string; makeAgain(): string; remove(): void };

export function makeSecrets(): MadeSecrets {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'compose-'));
  const script = path.join(parent, 'make-secrets.sh');
  cpSync(path.join(projectFolder, 'deploy/compose/make-secrets.sh'), script);
  const makeAgain = () => execFileSync('/bin/sh', [script], { encoding: 'utf8' });
  makeAgain();
  const remove = () => rmSync(parent, { recursive: true, force: true });
  return { folder: path.join(parent, 'secrets'), makeAgain, remove };
}
