import path from 'node:path';
import process from 'node:process';

/*
 * This process becomes Directus, under the Node that its folder brings: process times are read by process id,
 * so there must be no process in between. Not its `cli.js`, which asks the registry for newer versions before
 * it does anything. Arguments: the folder it is installed in, the one it works in, Directus' own.
 */
const [folder = '', workFolder = '', ...command] = process.argv.slice(2);
const node = path.join(folder, 'node_modules/.bin/node');
const program = path.join(folder, 'node_modules/@directus/api/dist/cli/run.js');
process.chdir(workFolder);
process.execve?.(node, [node, program, ...command]);
