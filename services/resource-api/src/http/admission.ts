import { AppError } from '#shared/errors/app-error.ts';
import type { Operation } from '#shared/http/operation.ts';
import type { Principal } from '../auth/principal.ts';

/** Throws insufficient_scope and, for a write of a suspended account, account_suspended. */
export function requireScope({ scope }: Pick<Operation, 'scope'>, principal: Principal): void {
  if (scope !== null && !principal.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', { message: `This operation needs the scope «${scope}».` });
  }
  if (scope === 'write' && principal.account.status === 'suspended') throw new AppError('account_suspended');
}
