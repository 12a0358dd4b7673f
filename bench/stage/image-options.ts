import { readFileSync } from 'node:fs';
import path from 'node:path';

const dockerfile = path.join(import.meta.dirname, '../../deploy/Dockerfile');

/** What the image tells Node, so that the services are measured as they are delivered. */
export function imageNodeOptions(): string {
  const options = /^ENV NODE_OPTIONS="(.+)"$/m.exec(readFileSync(dockerfile, 'utf8'))?.[1];
  if (options === undefined) throw new Error(`${dockerfile} sets no NODE_OPTIONS`);
  return options;
}
