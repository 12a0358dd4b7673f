import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectFolder } from '../../architecture/source-files.ts';

export type ComposeService = {
  image: string;
  build?: { context: string; dockerfile: string };
  user?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  secrets?: string[];
  networks: string[];
  ports?: string[];
  volumes?: string[];
  tmpfs: string[];
  restart: string;
  profiles?: string[];
  read_only?: boolean;
  privileged?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  logging?: { options: Record<string, string> };
  healthcheck?: { disable?: boolean; test?: string[]; interval?: string; start_period?: string };
  deploy?: { resources: { limits: { cpus: string; memory: string; pids: number } } };
  depends_on?: Record<string, { condition: string }>;
};

export type ComposeFile = {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, object>;
};

/** The project's file, with its aliases and merges resolved. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(path.join(projectFolder, 'docker-compose.yml'), 'utf8'), { merge: true });
}

/** `${NAME:-default}` as Compose puts values in: a default may hold another variable. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const innermost = /\$\{(\w+):-([^${}]*)\}/;
  const replaced = text.replace(
    innermost,
    (_, name: string, fallback: string) => variables[name] || fallback,
  );
  return replaced === text ? text : interpolate(replaced, variables);
}
