import { isDeepStrictEqual } from 'node:util';
import { type Callers, readAnswers, startServices, useService } from '#tests/deploy/backup/service-in-use.ts';
import type { StackOwner } from '#tests/support/stack.ts';

export type UsedService = {
  callers: Callers;
  /** What they were answered at the end. */
  answers: Record<string, unknown>;
};

type Stores = { databaseUrl: string; redisUrl: string };

/** Runs the services over this database for as long as somebody uses what there is. */
export async function useServiceOnce(owner: StackOwner, stores: Stores): Promise<UsedService> {
  const stack = await startServices(owner, stores.databaseUrl, stores);
  const callers = await useService(stack);
  const answers = await readAnswers(stack, callers);
  await stack.close();
  return { callers, answers };
}

/** Starts the services over this database. Throws an Error that names what its callers are answered otherwise. */
export async function findAsItWas(owner: StackOwner, stores: Stores, left: UsedService): Promise<void> {
  const stack = await startServices(owner, stores.databaseUrl, stores);
  const answers = await readAnswers(stack, left.callers);
  await stack.close();
  const changed = Object.keys(left.answers).filter(
    (name) => !isDeepStrictEqual(answers[name], left.answers[name]),
  );
  if (changed.length > 0) throw new Error(`what was restored answers otherwise: ${changed.join(', ')}`);
}
