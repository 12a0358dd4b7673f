import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildResult, build } from 'esbuild';
import { classNamesIn, keepClassNames } from './class-names.ts';
import { placeModuleUrls } from './module-urls.ts';

export type BundleOptions = {
  projectFolder: string;
  /** Inside the project: files that are read at run time, and the packages left out, are found from there. Emptied first. */
  outputFolder: string;
  /** By the names their files get in the output folder, the programs that start as threads among them. */
  entryPoints: Readonly<Record<string, string>>;
};

export type Bundle = { files: readonly { name: string; bytes: number }[]; modules: number };

/** jsdom, which the first one loads, reads files beside its own; the other is an option of `pg` that is not installed. */
const leftOut = ['isomorphic-dompurify', 'pg-native'];

/** CommonJS within the bundle asks for what Node itself brings. */
const requireOfModule = [
  `import { createRequire as createRequireOfBundle } from 'node:module';`,
  'const require = createRequireOfBundle(import.meta.url);',
].join('\n');

/**
 * Writes programs as few files without types: a thousand modules take longer to find, to link and to hold than all
 * the rest of a start. Nothing is minified: a line of a stack trace leads to code as it was written, under its file's name.
 * Throws what esbuild finds wrong, and when a class would get another name.
 */
export async function bundlePrograms(options: BundleOptions): Promise<Bundle> {
  const { projectFolder, outputFolder, entryPoints } = options;
  const result = await build({
    absWorkingDir: projectFolder,
    entryPoints: { ...entryPoints },
    outdir: outputFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external: leftOut,
    banner: { js: requireOfModule },
    plugins: [placeModuleUrls({ projectFolder, outputFolder, entryPoints })],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(outputFolder, { recursive: true });
  const files = result.outputFiles.map(({ path: file, text }) => {
    const named = keepClassNames(text, classNamesIn(inputsOf(result, options, file)));
    writeFileSync(file, named);
    return { name: path.basename(file), bytes: Buffer.byteLength(named) };
  });
  return { files, modules: Object.keys(result.metafile.inputs).length };
}

/** The files whose code is in `file`. */
function inputsOf(
  { metafile }: BuildResult<{ metafile: true }>,
  { projectFolder }: BundleOptions,
  file: string,
): string[] {
  const output = metafile.outputs[path.relative(projectFolder, file).replaceAll(path.sep, '/')];
  if (output === undefined) throw new Error(`nothing is known of ${file}`);
  return Object.keys(output.inputs).map((input) => path.join(projectFolder, input));
}
