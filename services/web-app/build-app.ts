import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { hashSources, projectFolder } from './build-sources.ts';
import {
  type BuiltFile,
  bundleApp,
  bundlePageScripts,
  bundleStyles,
  bundleWorker,
  hashedName,
} from './bundle.ts';
import { writeManifest, writeShell } from './shell.ts';
import { writeNotices } from './third-party-notices.ts';

/** Of a build in a folder: what it was made from, and its assets. */
type BuildRecord = { sources: string; assets: string[] };

const recordName = 'build.json';

/**
 * Builds the app into `directory`, unless it holds the build of these sources. The assets of the build before
 * stay: pages that are open still load them. Throws when the sources do not build; esbuild prints why.
 */
export async function buildApp(directory: string): Promise<{ isNew: boolean; milliseconds: number }> {
  const startedAt = performance.now();
  const sources = hashSources();
  const earlier = readRecord(directory);
  if (earlier?.sources === sources) return { isNew: false, milliseconds: 0 };

  const [scripts, pageScripts, styles] = await Promise.all([
    bundleApp(),
    bundlePageScripts(),
    bundleStyles(),
  ]);
  const icons = readIcons();
  const notices = namedByContent(
    'licences.txt',
    Buffer.from(writeNotices([...scripts.sources, ...pageScripts.sources])),
  );
  const shell = writeShell({
    script: scripts.entry,
    preloaded: scripts.preloaded,
    style: styles.first.name,
    laterStyle: styles.later.name,
    notices: notices.name,
    mark: icons.mark.name,
    touchIcon: icons.touch.name,
  });
  const page = { name: 'index.html', content: Buffer.from(shell) };
  // Under an address that stays, for pages that know of no build.
  const imported = [...pageScripts.preloaded, pageScripts.entry].map((name) => `import './${name}';\n`);
  const pageScript = { name: 'page.js', content: Buffer.from(imported.join('')) };
  const manifest = { name: 'manifest.webmanifest', content: Buffer.from(manifestOf(icons)) };
  const assets = [
    ...scripts.files,
    ...pageScripts.files,
    ...Object.values(styles),
    ...Object.values(icons),
    notices,
  ];
  const cached = [page, ...scripts.files, ...Object.values(styles), icons.mark];
  const worker = await bundleWorker(cached.map(({ name }) => name));

  mkdirSync(path.join(directory, 'assets'), { recursive: true });
  // The page last: what it names is there.
  for (const file of [...assets, manifest, pageScript, ...worker, page]) writeBuiltFile(directory, file);
  const names = assets.map(({ name }) => name);
  removeAssetsBut(directory, [...names, ...(earlier?.assets ?? [])]);
  const record: BuildRecord = { sources, assets: names };
  writeAtomically(path.join(directory, recordName), Buffer.from(JSON.stringify(record)));
  return { isNew: true, milliseconds: Math.round(performance.now() - startedAt) };
}

function readRecord(directory: string): BuildRecord | undefined {
  const file = path.join(directory, recordName);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

type Icons = Record<'mark' | 'small' | 'large' | 'maskable' | 'touch', BuiltFile>;

function readIcons(): Icons {
  return {
    mark: readIcon('mark.svg'),
    small: readIcon('icon-192.png'),
    large: readIcon('icon-512.png'),
    maskable: readIcon('icon-maskable-512.png'),
    touch: readIcon('touch-icon-180.png'),
  };
}

function readIcon(fileName: string): BuiltFile {
  const content = readFileSync(path.join(projectFolder, 'services/web-app/src/icons', fileName));
  return namedByContent(fileName, content);
}

function namedByContent(fileName: string, content: Uint8Array): BuiltFile {
  return { name: hashedName(fileName, content), content };
}

function manifestOf({ mark, small, large, maskable }: Icons): string {
  return writeManifest([
    { name: mark.name, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { name: small.name, sizes: '192x192', type: 'image/png', purpose: 'any' },
    { name: large.name, sizes: '512x512', type: 'image/png', purpose: 'any' },
    { name: maskable.name, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ]);
}

/** With its compressed forms, where they are of use. */
function writeBuiltFile(directory: string, { name, content }: BuiltFile): void {
  const place = path.join(directory, name);
  if (!name.endsWith('.png')) {
    writeAtomically(`${place}.br`, brotliCompressSync(content));
    writeAtomically(`${place}.gz`, gzipSync(content, { level: 9 }));
  }
  writeAtomically(place, content);
}

/** A reader never sees half a file. */
function writeAtomically(file: string, content: Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

function removeAssetsBut(directory: string, kept: readonly string[]): void {
  for (const file of globSync('assets/*', { cwd: directory })) {
    const name = file.replaceAll(path.sep, '/').replace(/\.(br|gz)$/, '');
    if (!kept.includes(name)) rmSync(path.join(directory, file));
  }
}
