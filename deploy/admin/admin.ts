import { accountCommands } from './account-commands.ts';
import { appCommands } from './app-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { readCommandLine } from './command-line.ts';
import { dataCommands } from './data-commands.ts';
import { findInstance } from './find-instance.ts';
import { keyCommands } from './key-commands.ts';
import { tokenCommands } from './token-commands.ts';

const commands = [
  ...accountCommands,
  ...tokenCommands,
  ...appCommands,
  ...auditCommands,
  ...keyCommands,
  ...dataCommands,
];

try {
  const line = readCommandLine(commands, process.argv.slice(2));
  if ('help' in line) console.log(line.help);
  else console.log(JSON.stringify(await line.command.run(line.values, findInstance(process.env))));
} catch (error) {
  const { describeFailure } = await import('./describe-failure.ts');
  console.error(describeFailure(error));
  process.exitCode = 1;
}
