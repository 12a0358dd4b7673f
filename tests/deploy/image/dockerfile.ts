import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../architecture/source-files.ts';

const text = readFileSync(path.join(projectFolder, 'deploy/Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\s*\\\n\s*/g, ' ');
const [, lastStage = ''] = text.split(/^FROM \$\{RUNTIME_IMAGE\}$/m);

/** The images that the stages start from, as the arguments before the first stage name them. */
export const baseImages = [...text.matchAll(/^ARG \w+_IMAGE=(.+)$/gm)].map(([, image = '']) => image);

/** Files of packages for development that the image has all the same: they are served. */
export const servedPackageFiles = [
  ...text.matchAll(/^COPY --from=web-app \/app\/(node_modules\/\S+) /gm),
].map(([, file = '']) => file);

/** What stands after this keyword in the last stage, for each time it occurs. */
export function instructionsOf(keyword: string): string[] {
  return [...lastStage.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, rest = '']) => rest);
}

/** The command of an instruction in exec form. */
export function commandOf(keyword: 'ENTRYPOINT' | 'HEALTHCHECK' | 'CMD'): string[] {
  const [instruction = ''] = instructionsOf(keyword);
  return JSON.parse(instruction.slice(instruction.indexOf('[')));
}

/** The variables that the image sets for its programs. */
export function imageEnvironment(): Record<string, string> {
  const pairs = instructionsOf('ENV').flatMap((line) => [...line.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)]);
  return Object.fromEntries(pairs.map(([, name = '', quoted, bare = '']) => [name, quoted ?? bare]));
}
