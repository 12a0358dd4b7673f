import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { projectFolder } from '#tests/architecture/source-files.ts';

export type RehearsalEnd = { exitCode: number | null; stdout: string; stderr: string };

/** `npm run rehearse -- <words>`, until it ends; over another repository's history where one is named. */
export async function runRehearsal(words: readonly string[], repository?: string): Promise<RehearsalEnd> {
  const child = spawn(
    process.execPath,
    [path.join(projectFolder, 'tools/rehearsals/rehearse.ts'), ...words],
    {
      env: { ...process.env, ...(repository !== undefined && { GIT_DIR: repository }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode, stdout, stderr };
}
