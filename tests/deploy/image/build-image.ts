import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { copyFromContext } from './build-context.ts';
import { assignments, execForm, type Instruction, parseDockerfile, type Stage } from './dockerfile.ts';
import { installAllPackages, installProductionPackages } from './install-packages.ts';
import { linkTree } from './link-tree.ts';

export type BuiltImage = {
  /** Stands for the image's `/`. */
  root: string;
  workingDirectory: string;
  user: string;
  environment: Record<string, string>;
  entrypoint: string[];
  command: string[];
  healthCommand: string[];
};

/** What is done in another way here: npm would ask the registry, or take seconds of its cache. */
const installations: Readonly<Record<string, (projectFolder: string, target: string) => void>> = {
  'npm ci --omit=dev --omit=optional --ignore-scripts': installProductionPackages,
  'npm ci --ignore-scripts': installAllPackages,
};
const nodeOfBase = '/usr/local/bin/node';

type Build = { folder: string; projectFolder: string; built: Map<string, BuiltImage> };

/**
 * Follows the steps of the Dockerfile in a folder of temporary files, without an engine: every COPY and RUN in order,
 * each stage in a root of its own. Of the bases there is Node alone; whatever else is copied from one is left out.
 */
export function buildImage(projectFolder: string): BuiltImage & { remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'image-'));
  chmodSync(folder, 0o755);
  const { stages } = parseDockerfile(readFileSync(path.join(projectFolder, 'deploy/Dockerfile'), 'utf8'));
  const build: Build = { folder, projectFolder, built: new Map() };
  for (const stage of stages) build.built.set(stage.name, runStage(stage, build));
  const last = [...build.built.values()].at(-1);
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return { ...last, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function runStage(stage: Stage, build: Build): BuiltImage {
  const image: BuiltImage = {
    root: path.join(build.folder, stage.name),
    workingDirectory: '/',
    user: 'root',
    environment: {},
    entrypoint: [],
    command: [],
    healthCommand: [],
  };
  if (stage.base.includes('/node:')) linkTree(process.execPath, path.join(image.root, nodeOfBase));
  for (const instruction of stage.instructions) runInstruction(instruction, image, build);
  return image;
}

function runInstruction(instruction: Instruction, image: BuiltImage, build: Build): void {
  const { keyword, text } = instruction;
  const settings: Readonly<Record<string, () => Partial<BuiltImage>>> = {
    WORKDIR: () => ({ workingDirectory: text }),
    ENV: () => ({ environment: { ...image.environment, ...assignments(instruction) } }),
    USER: () => ({ user: text }),
    ENTRYPOINT: () => ({ entrypoint: execForm(instruction) }),
    CMD: () => ({ command: execForm(instruction) }),
    HEALTHCHECK: () => ({ healthCommand: execForm({ ...instruction, text: text.replace(/^CMD /, '') }) }),
    ARG: () => ({}),
    EXPOSE: () => ({}),
    LABEL: () => ({}),
  };
  if (keyword === 'COPY') copy(instruction, image, build);
  else if (keyword === 'RUN') run(text, image, build);
  else if (settings[keyword] === undefined) throw new Error(`${keyword} is not understood`);
  else Object.assign(image, settings[keyword]());
  mkdirSync(path.join(image.root, image.workingDirectory), { recursive: true });
}

function copy({ flags, text }: Instruction, image: BuiltImage, build: Build): void {
  const paths = text.split(/\s+/);
  const to = paths.at(-1) ?? '';
  const target = path.join(image.root, path.posix.resolve(image.workingDirectory, to));
  for (const from of paths.slice(0, -1)) {
    if (flags.from === undefined) {
      const isFile = statSync(path.join(build.projectFolder, from)).isFile();
      const named = isFile && to.endsWith('/') ? path.join(target, path.basename(from)) : target;
      copyFromContext(build.projectFolder, from, named);
    } else {
      const stage = build.built.get(flags.from);
      if (stage === undefined) throw new Error(`there is no stage ${flags.from}`);
      const source = path.join(stage.root, from);
      if (existsSync(source)) linkTree(source, target);
    }
  }
}

function run(command: string, image: BuiltImage, build: Build): void {
  const cwd = path.join(image.root, image.workingDirectory);
  const install = installations[command];
  if (install) install(build.projectFolder, cwd);
  else execFileSync('/bin/sh', ['-c', command], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
