import { cpSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Copies what `.dockerignore` lets through. Throws when that is nothing. */
export function copyFromContext(projectFolder: string, name: string, destination: string): void {
  const admitted = readAdmitted(projectFolder);
  let files = 0;
  cpSync(path.join(projectFolder, name), destination, {
    recursive: true,
    filter(source) {
      const file = path.relative(projectFolder, source).replaceAll(path.sep, '/');
      const isAdmitted = admitted.some((entry) => file === entry || file.startsWith(`${entry}/`));
      if (isAdmitted && statSync(source).isFile()) files += 1;
      return isAdmitted || admitted.some((entry) => entry.startsWith(`${file}/`));
    },
  });
  if (files === 0) throw new Error(`.dockerignore lets nothing of ${name} into the build`);
}

/** Our file shuts everything out and lets single paths in. */
function readAdmitted(projectFolder: string): string[] {
  const text = readFileSync(path.join(projectFolder, '.dockerignore'), 'utf8');
  const [first, ...rules] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || !rules.every((rule) => /^![\w./-]+$/.test(rule)))
    throw new Error('.dockerignore has rules that are not understood here');
  return rules.map((rule) => rule.slice(1));
}
