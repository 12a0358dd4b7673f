import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectFolder, readProjectFiles } from '#tests/architecture/source-files.ts';

const execute = promisify(execFile);

/** The blocks of commands below a heading of a document. */
export function commandsBelow(document: string, heading: string): string[] {
  const [file] = readProjectFiles(new RegExp(`^${document.replaceAll('.', '\\.')}$`));
  const [, section = ''] = (file?.text ?? '').split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, commands = '']) => commands);
}

/** Runs them as somebody in the project's folder who has set these variables. Rejects when one fails. */
export async function runCommands(
  commands: string,
  programs: string,
  variables: Record<string, string>,
): Promise<void> {
  const searched = [programs, path.join(projectFolder, 'node_modules/.bin'), process.env.PATH];
  const env = { ...variables, PATH: searched.join(':'), HOME: process.env.HOME };
  await execute('bash', ['-euo', 'pipefail', '-c', commands], { cwd: projectFolder, env });
}
