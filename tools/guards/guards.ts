import { accountGuards } from './account-guards.ts';
import { admissionGuards } from './admission-guards.ts';
import { clientGuards } from './client-guards.ts';
import { inputGuards } from './input-guards.ts';
import { oauthGuards } from './oauth-guards.ts';
import { pageGuards } from './page-guards.ts';
import { storeGuards } from './store-guards.ts';
import { tokenGuards } from './token-guards.ts';
import { webAppGuards } from './web-app-guards.ts';

/** Of the promises in `docs/security.md` and `docs/reliability.md`. */
export const guards = [
  accountGuards,
  tokenGuards,
  admissionGuards,
  oauthGuards,
  clientGuards,
  pageGuards,
  inputGuards,
  storeGuards,
  webAppGuards,
].flat();
