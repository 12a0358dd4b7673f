import type { Account, Principal } from '../auth/principal.ts';

/** The operator, acting for the account: holds no token, and may do what its owner may. */
export function operatorFor(account: Account): Principal {
  return { account, tokenId: '', tokenName: 'operator', scopes: ['read', 'write'] };
}
