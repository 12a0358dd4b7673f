import { AppError } from '#shared/errors/app-error.ts';
import { systemClock } from '#shared/time/clock.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { operatorFor } from '../auth/principal.ts';
import { presentProject } from '../projects/present-project.ts';
import { restoreProject as restore } from '../projects/project-service.ts';
import { runWrite } from '../session.ts';
import { createAccountQueue } from '../sync/account-queue.ts';
import { requireAccount, withDatabase } from './with-database.ts';

/**
 * Takes a project of the account out of the Trash, with the tasks that went there with it, and returns it as the API
 * shows it; one outside the Trash is returned unchanged. Throws not_found (account or project),
 * project_limit_reached when an active project would exceed the plan's cap, and account_suspended.
 */
export function restoreProject(
  databaseUrl: string,
  { accountId, projectId }: { accountId: string; projectId: string },
): Promise<ReturnType<typeof presentProject>> {
  return withDatabase(databaseUrl, 10_000, async (database) => {
    const principal = operatorFor(await requireAccount(database, accountId));
    if (!isUuid(projectId)) throw projectMissing();
    const accountQueue = createAccountQueue(database.timeouts.statement);
    const store = { database, accountQueue, clock: systemClock };
    return await runWrite(store, principal, async (session) =>
      presentProject(await restore(session, projectId.toLowerCase())),
    ).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? projectMissing() : error;
    });
  });
}

function projectMissing(): AppError {
  return new AppError('not_found', { message: 'the account has no project with that id' });
}
