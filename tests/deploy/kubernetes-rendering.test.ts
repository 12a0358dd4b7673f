import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { parse, stringify } from 'yaml';
import { projectFolder } from '#tests/architecture/source-files.ts';
import {
  type KustomizationName,
  kustomizations,
  kustomize,
  kustomizeText,
  parseManifests,
  readRendering,
  renderedFile,
  testWithKubectl,
  withoutMonitoringContent,
} from './kubernetes/kustomize.ts';
import type { Manifest } from './kubernetes/manifest.ts';

const componentsFolder = 'deploy/k8s/components';
const components = readdirSync(path.join(projectFolder, componentsFolder));

/*
 * UPDATE_GOLDEN=1 npm test -- tests/deploy/kubernetes-rendering.test.ts
 * renders anew. Without kubectl the other tests judge what was rendered last.
 */
for (const name of Object.keys(kustomizations) as KustomizationName[]) {
  testWithKubectl(`${name} renders to what is kept of it`, (t) => {
    const objects = withoutMonitoringContent(parseManifests(kustomize(kustomizations[name])));
    if (process.env.UPDATE_GOLDEN === '1') {
      writeFileSync(renderedFile(name), objects.map((object) => stringify(object)).join('---\n'));
    }
    t.deepEqual(objects, readRendering(name).objects, 'a wanted change is recorded with UPDATE_GOLDEN=1');
  });
}

let renderedBase: Manifest[] | undefined;

function base(): Manifest[] {
  renderedBase ??= parseManifests(kustomize('deploy/k8s/base'));
  return renderedBase;
}

for (const component of components) {
  testWithKubectl(`the component ${component} renders on the base alone`, (t) => {
    const text = `resources: ['{folder}/deploy/k8s/base']\ncomponents: ['{folder}/${componentsFolder}/${component}']\n`;
    t.notDeepEqual(parseManifests(kustomizeText(text)), base());
  });
}

test('every component is used by an overlay or tried as an alternative', (t) => {
  const used = Object.values(kustomizations).flatMap(componentsOf);
  t.deepEqual([...new Set(used)].toSorted(), components.toSorted());
});

test('the migration is made by the same rules in every overlay', (t) => {
  const [first, ...others] = [kustomizations.production, kustomizations.local].map((folder) =>
    readFileSync(path.join(projectFolder, folder, 'migration.yaml'), 'utf8'),
  );
  t.deepEqual(others, [first]);
});

function componentsOf(folder: string): string[] {
  const text = readFileSync(path.join(projectFolder, folder, 'kustomization.yaml'), 'utf8');
  const { components = [] }: { components?: string[] } = parse(text);
  return components.map((component) => path.basename(component));
}
