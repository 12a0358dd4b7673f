import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import type { BundleOptions } from './bundle-programs.ts';

/**
 * Our own modules find what lies beside them by `import.meta.url`, which in a bundle would be the bundle's. There it
 * becomes the URL of the file that was bundled, seen from the bundle; and the URL of a program that starts as a
 * thread becomes that of its bundled form.
 */
export function placeModuleUrls({ projectFolder, outputFolder, entryPoints }: BundleOptions): Plugin {
  const nameOf = new Map(
    Object.entries(entryPoints).map(([name, file]) => [path.join(projectFolder, file), name]),
  );

  const programUrl = (file: string, specifier: string): string => {
    const name = nameOf.get(path.join(path.dirname(file), specifier));
    if (name === undefined) throw new Error(`${specifier} is no entry point of the bundle`);
    return `new URL('./${name}.js', import.meta.url)`;
  };
  const sourceUrl = (file: string): string => {
    const place = path.relative(outputFolder, file).replaceAll(path.sep, '/');
    return `new URL('${place}', import.meta.url).href`;
  };
  const place = (file: string, text: string): string =>
    text.replace(/new URL\('([^']+\.ts)', import\.meta\.url\)|import\.meta\.url/g, (_, specifier?: string) =>
      specifier === undefined ? sourceUrl(file) : programUrl(file, specifier),
    );

  return {
    name: 'module-urls',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8');
        return text.includes('import.meta.url') ? { contents: place(file, text), loader: 'ts' } : undefined;
      });
    },
  };
}
