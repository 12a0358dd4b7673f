import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assignments, parseDockerfile } from '#tests/deploy/image/dockerfile.ts';

const dockerfile = path.join(import.meta.dirname, '../../deploy/Dockerfile');

/** The variables that the image sets, so that the services are measured as they are delivered. */
export function imageEnvironment(): Record<string, string> {
  const image = parseDockerfile(readFileSync(dockerfile, 'utf8')).stages.at(-1);
  const settings = image?.instructions.filter(({ keyword }) => keyword === 'ENV') ?? [];
  return Object.assign({}, ...settings.map(assignments));
}
