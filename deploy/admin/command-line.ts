import { parseArgs } from 'node:util';
import { type Command, type OptionValues, UsageError } from './command.ts';

const invocation = 'npm run --silent admin --';

const surroundings = `The database is that of the running «npm start» in DATA_DIR (default: .data),
or DATABASE_URL when it is set.
With DATABASE_URL, give the services' other settings too: REDIS_URL, and KEY_ENCRYPTION_SECRET for keys,
BASE_URL for reset-link, ACCOUNT_DELETION_DAYS for delete.

Every answer is one line of JSON on standard output.
An error is one line on standard error, with exit code 1.`;

type CommandLine = { help: string } | { command: Command; values: OptionValues };

/** Parses a command line. Throws UsageError. */
export function readCommandLine(commands: readonly Command[], args: readonly string[]): CommandLine {
  const firstOption = args.findIndex((argument) => argument.startsWith('-'));
  const words = firstOption < 0 ? [...args] : args.slice(0, firstOption);
  const name = words.slice(0, 2).join(' ');
  const wantsHelp = args.includes('--help') || args.includes('-h');
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return { help: helpWithoutCommand(commands, name, wantsHelp) };
  if (wantsHelp) return { help: commandHelp(command) };
  return { command, values: readOptions(command, args.slice(2)) };
}

function helpWithoutCommand(commands: readonly Command[], name: string, wantsHelp: boolean): string {
  const group = commands.filter((command) => name === '' || command.name.startsWith(`${name} `));
  if (wantsHelp && group.length > 0) return overviewHelp(group);
  const problem = name === '' ? 'no command was given' : `unknown command «${name}»`;
  const place = name !== '' && group.length > 0 ? `${invocation} ${name}` : invocation;
  throw new UsageError(`${problem}; ${place} --help lists the commands`);
}

function readOptions(command: Command, args: readonly string[]): OptionValues {
  const names = Object.keys(command.options);
  const see = `see ${invocation} ${command.name} --help`;
  const values = parse(command.options, args, see);
  const missing = names.filter((name) => command.options[name]?.isRequired && values.get(name) === undefined);
  if (missing.length > 0) {
    throw new UsageError(`missing ${missing.map((name) => `--${name}`).join(', ')}; ${see}`);
  }
  return {
    find: (name) => values.get(name),
    has: (flag) => values.has(flag),
    get(name) {
      const value = values.get(name);
      if (value === undefined) throw new UsageError(`missing --${name}; ${see}`);
      return value;
    },
  };
}

function parse(known: Command['options'], args: readonly string[], see: string): Map<string, string> {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  try {
    const { values } = parseArgs({ args: [...args], options });
    return new Map(Object.entries(values).map(([name, given]) => [name, requireOnce(name, given)]));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${describe(error)}; ${see}`);
  }
}

function requireOnce(name: string, given: unknown): string {
  if (Array.isArray(given) && given.length === 1) return String(given[0]);
  throw new UsageError(`--${name} must be given once`);
}

/** The first sentence of parseArgs' message; the others are about its own parameters. */
function describe(error: TypeError): string {
  const [sentence = ''] = error.message.split(/\.(?:\s|$)/);
  const said = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  return sentence.endsWith('is ambiguous')
    ? `${said}: write a value that starts with a dash as --name=-value`
    : said;
}

function overviewHelp(commands: readonly Command[]): string {
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

function commandHelp({ name, summary, options, example, exampleAnswer }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, description, isRequired }]): [string, string] => [
      optionText(option, value),
      isRequired ? `${description} (required)` : description,
    ],
  );
  const usage = Object.entries(options).map(([option, { value, isRequired }]) =>
    isRequired ? optionText(option, value) : `[${optionText(option, value)}]`,
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

function optionText(option: string, value: string | undefined): string {
  return value === undefined ? `--${option}` : `--${option} ${value}`;
}

function table(rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
