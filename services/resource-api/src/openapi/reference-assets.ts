import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { digestOf, type StaticFile } from './static-file.ts';

export type ReferenceAssets = {
  /** Part of every asset's URL: it changes with any of them, so each may be kept for ever. */
  version: string;
  files: ReadonlyMap<string, StaticFile>;
};

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/** Everything the reference page loads, by file name: Swagger UI as published, and what makes it our page. */
export function readReferenceAssets(): ReferenceAssets {
  const files = new Map<string, StaticFile>([
    ['swagger-ui.css', swaggerFile('swagger-ui.css', css)],
    ['swagger-ui-bundle.js', swaggerFile('swagger-ui-bundle.js', javascript)],
    ['favicon-16x16.png', swaggerFile('favicon-16x16.png', 'image/png')],
    ['favicon-32x32.png', swaggerFile('favicon-32x32.png', 'image/png')],
    ['reference.css', ownFile('reference.css', css)],
    ['reference.js', ownFile('reference.js', javascript)],
    ['layout.js', ownFile('layout.js', javascript)],
  ]);
  return { version: digestOf(...[...files.values()].map(({ body }) => body)), files };
}

function swaggerFile(name: string, contentType: string): StaticFile {
  const path = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
  return { body: readFileSync(path), contentType };
}

function ownFile(name: string, contentType: string): StaticFile {
  return { body: readFileSync(new URL(`./reference/${name}`, import.meta.url)), contentType };
}
