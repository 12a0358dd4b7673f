import { spawn } from 'node:child_process';
import path from 'node:path';
import { endOf } from '#local/child-process.ts';

export type MigrationRun = { code: number | null; output: string; applied: number };

const project = path.join(import.meta.dirname, '../..');

/** The operator's migration (`npm run migrate`) as a process of its own. */
export async function runMigration(databaseUrl: string): Promise<MigrationRun> {
  const child = spawn(process.execPath, [path.join(project, 'deploy/admin/migrate.ts')], {
    cwd: project,
    env: { DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const { code } = await endOf(child);
  return { code, output, applied: output.match(/^applied /gm)?.length ?? 0 };
}
