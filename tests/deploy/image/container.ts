import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { guardProcess } from '#local/process-guardian.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { BuiltImage } from './build-image.ts';

export type Owner = { teardown(after: () => Promise<void>): void };
type Variables = Readonly<Record<string, string>>;

export type ContainerEnd = { code: number | null; signal: string | null; output: string; errors: string };

export type Container = {
  child: ChildProcess;
  ended: Promise<ContainerEnd>;
};

/** Whether processes can be started as the image's own user; as root alone. */
export const canChangeUser = process.getuid?.() === 0;

/**
 * Starts a command as an engine would start the image: its user, its folder, its variables and those given, and
 * nothing of this process's. Killed when the test has ended.
 */
export function startContainer(
  owner: Owner,
  image: BuiltImage,
  command: readonly string[],
  variables: Variables = {},
): Container {
  const [program = '', ...parameters] = command;
  const [uid, gid] = image.user.split(':').map(Number);
  const child = spawn(path.join(image.root, program), parameters, {
    cwd: path.join(image.root, image.workingDirectory),
    env: { ...image.environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(canChangeUser && { uid, gid }),
  });
  const output = text(child.stdout);
  const errors = text(child.stderr);
  const exit = once(child, 'exit');
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid, 'TERM'));
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const ended = exit.then(async ([code, signal]) => ({
    code,
    signal,
    output: await output,
    errors: await errors,
  }));
  return { child, ended };
}

/** Runs one of the image's programs to its end. */
export function runProgram(
  owner: Owner,
  image: BuiltImage,
  parameters: readonly string[],
  variables: Variables = {},
): Promise<ContainerEnd> {
  return startContainer(owner, image, [...image.entrypoint, ...parameters], variables).ended;
}

/** Asks as the engine does, again and again, until the image's own health check says yes. */
export async function waitUntilHealthy(
  owner: Owner,
  image: BuiltImage,
  variables: Variables,
  container: Container,
): Promise<void> {
  const isHealthy = async () => {
    if (container.child.exitCode !== null)
      throw new Error(`it ended: ${JSON.stringify(await container.ended)}`);
    return (await startContainer(owner, image, image.healthCommand, variables).ended).code === 0;
  };
  await waitFor(isHealthy, {
    timeoutMilliseconds: 60_000,
    intervalMilliseconds: 500,
    what: 'the health check',
  });
}
