import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load; it is as public as the program's source. */
export type Asset = { path: string; mediaType: string; content: Buffer; version: string };

const style = readAsset('style.css', 'text/css; charset=utf-8');
const script = readAsset('page.js', 'text/javascript; charset=utf-8');
const icon = readAsset('icon.svg', 'image/svg+xml');

export const assets: readonly Asset[] = [style, script, icon];

export const assetUrls = { style: urlOf(style), script: urlOf(script), icon: urlOf(icon) };

function readAsset(name: string, mediaType: string): Asset {
  const content = readFileSync(new URL(name, import.meta.url));
  const version = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  return { path: `/assets/${name}`, mediaType, content, version };
}

/** The hash makes a new address of every change, so browsers may keep what they have. */
function urlOf({ path, version }: Asset): string {
  return `${path}?v=${version}`;
}
