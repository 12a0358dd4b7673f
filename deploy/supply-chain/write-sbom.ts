import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readLockFile } from './lock-file.ts';
import { withoutDevelopment } from './production-sbom.ts';

/* `npm run --silent sbom > sbom.json`: a CycloneDX bill of what is delivered, from the lock file alone. */
const project = path.join(import.meta.dirname, '../..');
const question = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const answer = execFileSync('npm', question, {
  cwd: project,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const { name } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'));
const bill = withoutDevelopment(
  JSON.parse(answer),
  readLockFile(path.join(project, 'package-lock.json')),
  name,
);
console.log(JSON.stringify(bill, null, 2));
