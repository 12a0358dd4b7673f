import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A public file that pages load. */
export type Asset = { path: string; mediaType: string; content: Buffer; version: string };

/** Pages use the app's colours, type and components. */
const appSources = '../../../web-app/src';

const style = readAsset(
  'style.css',
  'text/css; charset=utf-8',
  `${appSources}/styles/tokens.css`,
  `${appSources}/styles/parts.css`,
  'page.css',
  'cards.css',
  'forms.css',
  'notices.css',
  'card-page.css',
  'settings.css',
  'front-page.css',
  'narrow.css',
);
const icon = readAsset('icon.svg', 'image/svg+xml', `${appSources}/icons/mark.svg`);
const touchIcon = readAsset('touch-icon.png', 'image/png', `${appSources}/icons/touch-icon-180.png`);

export const assets: readonly Asset[] = [style, icon, touchIcon];

export const assetUrls = {
  style: urlOf(style),
  icon: urlOf(icon),
  touchIcon: urlOf(touchIcon),
};

/** `files`: concatenated in this order. */
function readAsset(name: string, mediaType: string, ...files: string[]): Asset {
  const content = Buffer.concat(files.map((file) => readFileSync(new URL(file, import.meta.url))));
  const version = hash('sha256', content, 'base64url').slice(0, 16);
  return { path: `/assets/${name}`, mediaType, content, version };
}

/** The URL contains a hash of the content, so browsers may cache it for ever. */
function urlOf({ path, version }: Asset): string {
  return `${path}?v=${version}`;
}
