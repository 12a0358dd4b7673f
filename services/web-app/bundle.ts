import { createHash } from 'node:crypto';
import path from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { appPath } from '#shared/app/app-protocol.ts';
import { projectFolder } from './build-sources.ts';

/** A file of the build: its name is its path below the build's folder, and below `/app`. */
export type BuiltFile = { name: string; content: Uint8Array };

type Scripts = {
  entry: string;
  /** What the entry imports at once, itself not among them. */
  preloaded: string[];
  files: BuiltFile[];
  /** What they were made from. */
  sources: string[];
};

const appFolder = 'services/web-app/src';
/** Stands for the build's folder: nothing is written here. */
const outputFolder = path.join(projectFolder, 'dist/app');

const settings = {
  absWorkingDir: projectFolder,
  bundle: true,
  minify: true,
  target: 'es2022',
  write: false,
  outdir: outputFolder,
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** The app's modules. */
export function bundleApp(): Promise<Scripts> {
  return bundleScripts(`${appFolder}/main.tsx`);
}

/** What auth-server's pages load. Apart from the app: its first visit loads none of it. */
export function bundlePageScripts(): Promise<Scripts> {
  return bundleScripts(`${appFolder}/pages/page.ts`);
}

/** What is imported by `import()` becomes a file of its own. */
async function bundleScripts(entryPoint: string): Promise<Scripts> {
  const { outputFiles, metafile } = await build({
    ...settings,
    entryPoints: [entryPoint],
    tsconfig: 'services/web-app/tsconfig.json',
    format: 'esm',
    splitting: true,
    metafile: true,
  });
  const [entry = ''] =
    Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entryPoint) ?? [];
  const preloaded = importedAtOnce(metafile, entry).filter((file) => file !== entry);
  const toName = (file: string): string => nameOf(path.join(projectFolder, file));
  return {
    entry: toName(entry),
    preloaded: preloaded.map(toName),
    files: outputFiles.map(({ path: file, contents }) => ({ name: nameOf(file), content: contents })),
    sources: Object.keys(metafile.inputs),
  };
}

function importedAtOnce({ outputs }: Metafile, file: string, found = new Set<string>()): string[] {
  if (found.has(file)) return [];
  found.add(file);
  const imports = outputs[file]?.imports ?? [];
  for (const { path: imported, kind } of imports) {
    if (kind === 'import-statement') importedAtOnce({ inputs: {}, outputs }, imported, found);
  }
  return [...found];
}

/** The style sheets `app.css` and `later.css`, with what they import. */
export async function bundleStyles(): Promise<{ first: BuiltFile; later: BuiltFile }> {
  const sheetOf = async (name: string): Promise<BuiltFile> => {
    const { outputFiles } = await build({ ...settings, entryPoints: [`${appFolder}/styles/${name}`] });
    const [sheet] = outputFiles;
    if (sheet === undefined) throw new Error(`esbuild returned no ${name}`);
    return { name: hashedName(name, sheet.contents), content: sheet.contents };
  };
  const [first, later] = await Promise.all([sheetOf('app.css'), sheetOf('later.css')]);
  return { first, later };
}

/** The service worker. It knows what was built as `builtFiles` and `buildId` (sw-build.d.ts). */
export async function bundleWorker(builtFiles: readonly string[]): Promise<BuiltFile[]> {
  const entryPoint = `${appFolder}/sw.ts`;
  const urls = builtFiles.map((name) => `${appPath}/${name === 'index.html' ? '' : name}`);
  const { outputFiles } = await build({
    ...settings,
    entryPoints: [entryPoint],
    tsconfig: 'services/web-app/tsconfig.json',
    entryNames: '[name]',
    format: 'iife',
    define: { builtFiles: JSON.stringify(urls), buildId: JSON.stringify(hashOf(Buffer.from(urls.join()))) },
  });
  return outputFiles.map(({ path: file, contents }) => ({ name: nameOf(file), content: contents }));
}

/** `app.css` → `assets/app-3kQ9x0Zb.css`: another content has another name, so browsers keep it for ever. */
export function hashedName(fileName: string, content: Uint8Array): string {
  const { name, ext } = path.parse(fileName);
  return `assets/${name}-${hashOf(content)}${ext}`;
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

function nameOf(file: string): string {
  return path.relative(outputFolder, file).replaceAll(path.sep, '/');
}
