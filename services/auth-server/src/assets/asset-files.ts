import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load; it is as public as the program's source. */
export type Asset = { path: string; mediaType: string; content: Buffer; version: string };

/** Pages and the app look alike: colours, type and parts are the app's. */
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

/** `files`: what it consists of, one after the other. */
function readAsset(name: string, mediaType: string, ...files: string[]): Asset {
  const content = Buffer.concat(files.map((file) => readFileSync(new URL(file, import.meta.url))));
  const version = hash('sha256', content, 'base64url').slice(0, 16);
  return { path: `/assets/${name}`, mediaType, content, version };
}

/** The hash makes a new address of every change, so browsers may keep what they have. */
function urlOf({ path, version }: Asset): string {
  return `${path}?v=${version}`;
}
