import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { type Manifest, ofKind, type Rendering } from './manifest.ts';

const program = 'kubectl';
/** kubectl 1.27 is the first with kustomize 5. */
const isInstalled = /kustomizeVersion: v([5-9]|\d\d)/.test(
  spawnSync(program, ['version', '--client', '--output', 'yaml'], { encoding: 'utf8' }).stdout ?? '',
);

/** A test that needs kubectl: skipped where it is missing or old, and its title says so. */
export const testWithKubectl = testWithProgram('kubectl 1.27', isInstalled);

export const kustomizations = {
  production: 'deploy/k8s/overlays/production',
  local: 'deploy/k8s/overlays/local',
  alternatives: 'tests/deploy/kubernetes/alternatives',
} as const;
export type KustomizationName = keyof typeof kustomizations;

/** `folder` is relative to the project's. Throws what kubectl says. */
export function kustomize(folder: string): string {
  const { status, stdout, stderr } = spawnSync(program, ['kustomize', folder], {
    cwd: projectFolder,
    encoding: 'utf8',
    maxBuffer: 16 * 1_024 ** 2,
  });
  if (status !== 0) throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  return stdout;
}

/** Renders a kustomization that is written for it. Its `{folder}` is the way to the project's folder. */
export function kustomizeText(text: string): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'kustomization-'));
  try {
    const written = text.replaceAll('{folder}', path.relative(directory, projectFolder));
    writeFileSync(path.join(directory, 'kustomization.yaml'), written);
    return kustomize(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document): Manifest => document.toJS());
}

/** What is kept of the rendering, so that it can be judged without kubectl and its changes be read in a review. */
export const renderedFile = (name: KustomizationName): string =>
  path.join(import.meta.dirname, 'rendered', `${name}.yaml`);

/** As it is kept, of which a test with kubectl makes sure that it is current. */
export function readRendering(name: KustomizationName): Rendering {
  return { name, objects: parseManifests(readFileSync(renderedFile(name), 'utf8')) };
}

export const production = readRendering('production');
export const local = readRendering('local');
export const alternatives = readRendering('alternatives');
export const everyRendering: readonly Rendering[] = [production, local, alternatives];

/** What comes word for word from deploy/monitoring, and is compared with it elsewhere, is not kept. */
export function withoutMonitoringContent(objects: readonly Manifest[]): readonly Manifest[] {
  const rendering = { name: '', objects };
  for (const rule of ofKind(rendering, 'PrometheusRule')) rule.spec.groups = [];
  for (const { data } of ofKind(rendering, 'ConfigMap')) {
    if (data?.['dashboard.json'] !== undefined) data['dashboard.json'] = '{}';
  }
  return objects;
}
