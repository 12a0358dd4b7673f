import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from './build-sources.ts';

/** Names and licences of the bundle's libraries, as their licences ask for. `files`: what was bundled. */
export function writeNotices(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  return [...folders].toSorted().map(noticeOf).join('\n');
}

/** `node_modules/@scope/name/dist/a.js` → `node_modules/@scope/name` */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function noticeOf(folder: string): string {
  const place = path.join(projectFolder, folder);
  const { name, version, license } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  const file = readdirSync(place).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(path.join(place, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
