import path from 'node:path';
import { bundlePrograms } from './bundle-programs.ts';
import { programFolder, programs } from './programs.ts';

/* `npm run build`: writes the programs of the image into `dist`, as few files of JavaScript. */
const projectFolder = path.join(import.meta.dirname, '../..');
const { files, modules } = await bundlePrograms({
  projectFolder,
  outputFolder: path.join(projectFolder, programFolder),
  entryPoints: programs,
});
const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;
console.log(`${programFolder}: ${modules} modules in ${files.length} files, ${megabytes.toFixed(1)} MB`);
