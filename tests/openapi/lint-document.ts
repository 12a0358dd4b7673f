import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

export type LintReport = {
  totals: { errors: number; warnings: number; ignored: number };
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
};

/** What Redocly's recommended rules say of a document, asked without network and away from any configuration. */
export async function lintDocument(json: string): Promise<LintReport> {
  const directory = await mkdtemp(path.join(tmpdir(), 'lint-openapi-'));
  try {
    await writeFile(path.join(directory, 'openapi.json'), json);
    return JSON.parse(await runRedocly(directory));
  } finally {
    await rm(directory, { recursive: true });
  }
}

function runRedocly(directory: string): Promise<string> {
  const command = [redocly, 'lint', 'openapi.json', '--extends=recommended', '--format=json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd: directory, env }, (failure, stdout, stderr) => {
      // A document with problems ends the linter with 1, and is reported all the same.
      if (stdout.startsWith('{')) resolve(stdout);
      else reject(failure ?? new Error(`redocly said: ${stdout} ${stderr}`));
    });
  });
}
