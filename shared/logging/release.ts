import { readFileSync } from 'node:fs';

type Release = { version: string; node: string };

export function readRelease(): Release {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return { version, node: process.version };
}
