import type { Route } from '../http/route.ts';
import { securityPath } from '../sign-in/sign-in-paths.ts';
import { passwordFormPlace } from './security-paths.ts';

/** Pages that password managers link to: W3C «Change Password URL» and «Passkey Endpoints». */
export const wellKnownRoutes: readonly Route[] = [
  {
    path: '/.well-known/change-password',
    method: 'get',
    handler: async ({ res }) => res.redirect(303, passwordFormPlace),
  },
  {
    path: '/.well-known/passkey-endpoints',
    method: 'get',
    async handler({ context: { config }, res }) {
      const page = `${config.baseUrl}${securityPath}`;
      res.json({ enroll: page, manage: page });
    },
  },
];
