import { Counter, type Registry } from 'prom-client';
import type { Authenticator } from '../auth/authenticate.ts';
import { TokenRefusal } from '../auth/token-refusal.ts';

/** Counts who is let in, who is not and why; `unavailable` where it could not be asked. */
export function countAuthentications(registry: Registry, authenticate: Authenticator): Authenticator {
  const authentications = new Counter({
    name: 'authentications_total',
    help: 'Requests by what became of their token: accepted, why it was refused, or unavailable where the store was away.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['accepted', 'unavailable']) authentications.inc({ outcome }, 0);
  return async (...asked) => {
    try {
      const principal = await authenticate(...asked);
      authentications.inc({ outcome: 'accepted' });
      return principal;
    } catch (error) {
      authentications.inc({ outcome: error instanceof TokenRefusal ? error.reason : 'unavailable' });
      throw error;
    }
  };
}
