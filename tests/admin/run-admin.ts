import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { connectSql, type Sql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import type { Stack } from '#tests/support/stack.ts';
import { answerCommandLine } from '../../deploy/admin/answer-command-line.ts';
import { describeFailure } from '../../deploy/admin/describe-failure.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

type Admin = {
  env: Record<string, string>;
  sql: Sql;
  /** Commands that find this in their standard input. */
  given(standardInput: string): Commands;
} & Commands;

type Commands = {
  run(...args: string[]): Promise<ProgramResult>;
  /** The answer of a command that must succeed. */
  ask<Answer = Record<string, unknown>>(...args: string[]): Promise<Answer>;
  /** The one line of a command that must fail. */
  fail(...args: string[]): Promise<string>;
};

/** The operator's command in a process of its own, half a second of processor time each. */
export function runAdmin(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  return runProgram('deploy/admin/admin.ts', args, env);
}

/** What the program would write, from its real code in this process; `usage.test.ts` runs the program. */
export async function runAdminHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  standardInput = '',
): Promise<ProgramResult> {
  try {
    const answer = await answerCommandLine(args, env, Readable.from([standardInput]));
    return { exitCode: 0, stdout: `${answer}\n`, stderr: '' };
  } catch (error) {
    return { exitCode: 1, stdout: '', stderr: `${describeFailure(error)}\n` };
  }
}

/** The operator's command over the stores of a stack: its answer, or the one line of its failure. */
export function adminOf({ databaseUrl, redisUrl, baseUrl }: Stack, standardInput = '') {
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, BASE_URL: baseUrl };
  return async (...words: string[]) => {
    const { stdout, stderr } = await runAdminHere(words, env, standardInput);
    return stderr === '' ? JSON.parse(stdout) : stderr;
  };
}

/** The operator's command over a database of its own. */
export async function startAdmin(t: ExecutionContext): Promise<Admin> {
  const database = await createFreshDatabase({ migrated: true });
  const connection = connectSql(database.url);
  t.teardown(async () => {
    await connection.close();
    await database.drop();
  });
  const env = { DATABASE_URL: database.url };
  const given = (standardInput: string) => commands((...args) => runAdminHere(args, env, standardInput));
  return { env, sql: connection.sql, given, ...given('') };
}

function commands(run: Commands['run']): Commands {
  return {
    run,
    async ask(...args) {
      const { exitCode, stdout, stderr } = await run(...args);
      if (exitCode !== 0 || stderr !== '') throw new Error(`exit code ${exitCode}: ${stderr}`);
      return JSON.parse(oneLine(stdout));
    },
    async fail(...args) {
      const { exitCode, stdout, stderr } = await run(...args);
      if (exitCode !== 1 || stdout !== '') throw new Error(`exit code ${exitCode}: ${stdout}`);
      return oneLine(stderr);
    },
  };
}

function oneLine(output: string): string {
  const [line = '', ...rest] = output.split('\n');
  if (line === '' || rest.length !== 1 || rest[0] !== '') throw new Error(`not one line: ${output}`);
  return line;
}
