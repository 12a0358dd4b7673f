import { readFileSync } from 'node:fs';
import path from 'node:path';

/* `npm run licences [-- LOCK-FILE]`: exit code 1, and a line for each package whose licence is refused. */

type LockedPackage = { version: string; license?: string; dev?: boolean };

/** SPDX expressions as packages write them; all of them only require their own text to be passed on. */
const accepted = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
  '(MPL-2.0 OR Apache-2.0)',
];
/** Its conditions concern who passes the package on, which does not happen to a tool. */
const acceptedForDevelopment = [...accepted, 'MPL-2.0', '(AFL-2.1 OR BSD-3-Clause)'];
/** MPL-2.0 §3.2: passed on unmodified, as the source that npm has. */
const acceptedUnmodified = ['node_modules/web-push'];

const file = process.argv[2] ?? path.join(import.meta.dirname, '../../package-lock.json');
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, 'utf8'));
const packages = Object.entries(lock.packages).filter(([folder]) => folder !== '');
const refused = packages.filter(
  ([folder, { license = '', dev }]) =>
    !(dev || acceptedUnmodified.includes(folder) ? acceptedForDevelopment : accepted).includes(license),
);

for (const [folder, { version, license }] of refused)
  console.error(`${folder} ${version}: ${license ?? 'no licence'}`);
if (refused.length === 0) console.log(`${packages.length} packages, all under accepted licences`);
else process.exitCode = 1;
