import path from 'node:path';
import { licenceFaults } from './licence-policy.ts';
import { readLockFile } from './lock-file.ts';

/* `npm run licences [-- LOCK-FILE]`: ends with 1 and names the packages whose licence is not on the list. */
const file = process.argv[2] ?? path.join(import.meta.dirname, '../../package-lock.json');
const packages = readLockFile(file);
const faults = licenceFaults(packages);

for (const fault of faults) console.error(fault);
if (faults.length === 0)
  console.log(`${packages.size} packages, all of them under licences that are agreed to`);
else process.exitCode = 1;
