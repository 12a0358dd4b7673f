import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endOf, stopProcess } from '#local/child-process.ts';
import type { Contender } from '../measure/interleave.ts';
import type { LoadOutcome } from '../measure/load.ts';
import { cores, pinProcess } from '../measure/pin-process.ts';
import type { Bench } from './bench.ts';
import { measureBlock } from './contender.ts';

const script = path.join(import.meta.dirname, '../references/create-loop.ts');

/** R1: transactions of new tasks, without a service. */
export async function startCreateLoop<Name extends string>(
  { stores }: Bench,
  { name, databaseUrl, accountIds }: { name: Name; databaseUrl: string; accountIds: readonly string[] },
): Promise<Contender<Name> & AsyncDisposable> {
  const child = fork(script, [databaseUrl, JSON.stringify(accountIds)], {
    env: {},
    execArgv: [],
    detached: true,
  });
  const ended = endOf(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`R1 could not be started: ${String(await ended)}`);
  pinProcess(pid, cores.server);
  return {
    name,
    run: (milliseconds) =>
      measureBlock({ serverPids: [pid], stores }, async () => {
        child.send(milliseconds);
        const [outcome]: LoadOutcome[] = await Promise.race([
          once(child, 'message'),
          ended.then(() => Promise.reject(new Error('R1 has ended'))),
        ]);
        if (outcome === undefined) throw new Error('R1 says nothing');
        return outcome;
      }),
    [Symbol.asyncDispose]: () => stopProcess(child, 'SIGTERM', 5_000),
  };
}
