import type { Guard } from './guard.ts';

const sessionRoutes = 'services/auth-server/src/web-app/app-session-routes.ts';
const fileRoutes = 'services/auth-server/src/web-app/app-routes.ts';
const test = 'tests/app/shell.test.ts';

export const webAppGuards: readonly Guard[] = [
  {
    promise: 'web app: another site’s page gets no token and signs nobody out',
    file: sessionRoutes,
    from: 'if (!isFromOwnPage(context, req))',
    to: 'if (Date.now() < 0)',
    test,
  },
  {
    promise: 'web app: a request without JSON gets no token',
    file: sessionRoutes,
    from: "return validateInput(schema, body, 'body');",
    to: 'return body;',
    test,
  },
  {
    promise: 'web app: tokens of a browser are counted',
    file: sessionRoutes,
    from: '  applyVerdict(res, await context.limiters.appToken.consume(user.sessionId));\n',
    to: '',
    test,
  },
  {
    promise: 'web app: no script but its own, and no markup but through a policy',
    file: fileRoutes,
    from: "  'Content-Security-Policy': shellPolicy,\n",
    to: '',
    test,
  },
  {
    promise: 'web app: nothing outside the build is served',
    file: fileRoutes,
    from: 'throw notFound();\n  // Its name has the hash of its content.',
    to: '{}',
    test,
  },
  {
    promise: 'web app: signing out clears what the browser has stored',
    file: 'services/auth-server/src/sign-in/sign-out.ts',
    from: "  res.set('Clear-Site-Data', clearedSiteData);\n",
    to: '',
    test,
  },
  {
    promise: 'web app: its own API is for the web app alone',
    file: 'services/resource-api/src/http/mount-routes.ts',
    from: "if (isWebAppOnly && principal.kind !== 'browser') throw",
    to: 'if (Date.now() < 0) throw',
    test: 'tests/app/snapshot-and-changes.test.ts',
  },
  {
    promise: 'web app: a token counts with a session of its own account alone',
    file: 'services/resource-api/src/auth/token-repository.ts',
    from: 'session.account_id = $1',
    to: '$1::uuid is not null',
    test: 'tests/app/commands.test.ts',
  },
  {
    promise: 'undo: a field that was changed since stays',
    file: 'services/resource-api/src/history/revert-fields.ts',
    from: 'if (columnsOf(unit).some((column) => changedSince.includes(column)))',
    to: 'if (Date.now() < 0)',
    test: 'tests/app/undo.test.ts',
  },
  {
    promise: 'undo: a new task that somebody has worked on stays',
    file: 'services/resource-api/src/history/undo-tasks.ts',
    from: 'if (isChangedSince(change)) return',
    to: 'if (Date.now() < 0) return',
    test: 'tests/app/undo.test.ts',
  },
];
