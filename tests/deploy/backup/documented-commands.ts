import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../architecture/source-files.ts';

/** The blocks of commands below a heading of a document. */
export function documentedCommands(document: string, heading: string): string[] {
  const text = readFileSync(path.join(projectFolder, 'docs', document), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, commands = '']) => commands);
}

type Surroundings = { programs: readonly string[]; folder?: string; variables: Record<string, string> };

/** As a shell that stops at the first failure, with `programs` searched first. */
export async function runCommands(
  commands: string,
  { programs, folder = projectFolder, variables }: Surroundings,
): Promise<void> {
  const env = { ...variables, PATH: [...programs, process.env.PATH].join(':'), HOME: process.env.HOME };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env });
}
