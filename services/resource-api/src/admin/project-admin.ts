import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#shared/errors/errors.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Account, Principal } from '../auth/principal.ts';
import { connectTasksDatabase } from '../database/tasks-orm.ts';
import { presentProject } from '../projects/present-project.ts';
import { restoreProject as restore } from '../projects/project-transitions.ts';
import { runWrite } from '../session.ts';
import { createAccountTurns } from '../sync/account-turns.ts';

/**
 * Takes a project of the account out of the Trash, with the tasks that went there with it, and returns it as the API
 * shows it; one outside the Trash is returned unchanged. Throws not_found (account or project),
 * project_limit_reached when an active project would exceed the plan's cap, and account_suspended.
 */
export async function restoreProject(
  databaseUrl: string,
  { accountId, projectId }: { accountId: string; projectId: string },
): Promise<ReturnType<typeof presentProject>> {
  const orm = await connectTasksDatabase({ url: databaseUrl, poolSize: 2, waitMilliseconds: 10_000 });
  try {
    const principal = await findOperator(orm.em.fork(), accountId);
    return await runWrite(
      { em: orm.em, inTurn: createAccountTurns(), clock: systemClock },
      principal,
      (session) => restore(session, projectId),
      presentProject,
    );
  } finally {
    await orm.close(true);
  }
}

/** The operator, acting for the account: holds no token, and may do what its owner may. */
async function findOperator(em: EntityManager, accountId: string): Promise<Principal> {
  const [account] = await em.execute<Account[]>(
    `select account_id as id, plan, timezone, status from auth.account_access where account_id = ?`,
    [accountId],
  );
  if (account === undefined) throw notFound();
  return { account, tokenId: '', tokenName: 'operator', scopes: ['read', 'write'] };
}
