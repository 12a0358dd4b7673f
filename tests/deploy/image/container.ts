import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { waitFor } from '#tests/support/wait-for.ts';
import { commandOf, imageEnvironment, instructionsOf } from './dockerfile.ts';

type Owner = { teardown(after: () => Promise<void>): void };
type Variables = Readonly<Record<string, string>>;

type ContainerEnd = { code: number | null; output: string; errors: string };
type Container = { child: ChildProcess; ended: Promise<ContainerEnd> };

/** Whether processes can be started as the image's own user; as root alone. */
export const canChangeUser = process.getuid?.() === 0;

/** Starts a command as a container engine would: the image's user, folder and variables. Killed when the test ends. */
export function startContainer(
  owner: Owner,
  folder: string,
  [, ...parameters]: readonly string[],
  variables: Variables = {},
): Container {
  const [uid, gid] = (instructionsOf('USER')[0] ?? '').split(':').map(Number);
  const child = spawn(process.execPath, parameters, {
    cwd: folder,
    env: { ...imageEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(canChangeUser && { uid, gid }),
  });
  const written = Promise.all([text(child.stdout), text(child.stderr)]);
  const exit = once(child, 'exit');
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const ended = exit.then(async ([code]) => {
    const [output, errors] = await written;
    return { code, output, errors };
  });
  return { child, ended };
}

/** Runs one of the image's programs to its end. */
export function runProgram(
  owner: Owner,
  folder: string,
  parameters: readonly string[],
  variables: Variables = {},
): Promise<ContainerEnd> {
  return startContainer(owner, folder, [...commandOf('ENTRYPOINT'), ...parameters], variables).ended;
}

export function checkHealth(
  owner: Owner,
  folder: string,
  variables: Variables,
  ...paths: string[]
): Promise<ContainerEnd> {
  return startContainer(owner, folder, [...commandOf('HEALTHCHECK'), ...paths], variables).ended;
}

export async function waitUntilHealthy(
  owner: Owner,
  folder: string,
  variables: Variables,
  { child, ended }: Container,
): Promise<void> {
  const isHealthy = async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${JSON.stringify(await ended)}`);
    return (await checkHealth(owner, folder, variables)).code === 0;
  };
  await waitFor(isHealthy, {
    timeoutMilliseconds: 60_000,
    intervalMilliseconds: 500,
    what: 'the health check',
  });
}
