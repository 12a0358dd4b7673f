import type { Command } from './command.ts';

export const invocation = 'npm run --silent admin --';

const surroundings = `The database is that of the running «npm start» in DATA_DIR (default: .data), or DATABASE_URL when it is set.
The commands for keys then need the services' KEY_ENCRYPTION_SECRET too.

Every answer is one line of JSON on standard output. An error is one line on standard error, with exit code 1.`;

export function overviewHelp(commands: readonly Command[]): string {
  return [
    'The operator’s command.',
    '',
    `Usage: ${invocation} COMMAND [OPTIONS]`,
    `       ${invocation} COMMAND --help`,
    '',
    'Commands:',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Examples:',
    ...commands.map(({ example }) => `  ${invocation} ${example}`),
    '',
    surroundings,
  ].join('\n');
}

export function commandHelp({ name, summary, options, example, exampleAnswer }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, description, isRequired }]): [string, string] => [
      `--${option} ${value}`,
      isRequired ? `${description} (required)` : description,
    ],
  );
  const usage = Object.entries(options).map(([option, { value, isRequired }]) =>
    isRequired ? `--${option} ${value}` : `[--${option} ${value}]`,
  );
  return [
    `${summary}.`,
    '',
    `Usage: ${[invocation, name, ...usage].join(' ')}`,
    ...(rows.length > 0 ? ['', 'Options:', ...table(rows)] : []),
    '',
    'Example:',
    `  ${invocation} ${example}`,
    `  ${exampleAnswer}`,
    '',
    surroundings,
  ].join('\n');
}

function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
