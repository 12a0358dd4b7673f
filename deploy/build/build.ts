import path from 'node:path';
import { bundlePrograms } from './bundle-programs.ts';
import { entryPoints } from './entry-points.ts';

/* `npm run build`: writes the programs of the image into `dist`, as few files of JavaScript. */
const projectFolder = path.join(import.meta.dirname, '../..');
const outputFolder = path.join(projectFolder, 'dist');
const { files, modules } = await bundlePrograms({ projectFolder, outputFolder, entryPoints });
const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;
console.log(`dist: ${modules} modules in ${files.length} files, ${megabytes.toFixed(1)} MB`);
