import type { Guard } from './guard.ts';

export const pageGuards: readonly Guard[] = [
  {
    promise: 'CSRF: a form needs its token',
    file: 'services/auth-server/src/browser/csrf.ts',
    from: "if (expected === undefined || !isSame(form.get('csrf_token') ?? '', expected)) throw staleForm();",
    to: '',
    test: 'tests/pages/csrf.test.ts',
  },
  {
    promise: 'CSRF: a form comes from our own pages',
    file: 'services/auth-server/src/browser/csrf.ts',
    from: '  requireSameOrigin(context, req);\n',
    to: '',
    test: 'tests/settings/form-guards.test.ts',
  },
  {
    promise: 'pages: untrusted text is escaped',
    file: 'services/auth-server/src/html/html.ts',
    from: 'replace(/[&<>"\']/g',
    to: 'replace(/[&>"\']/g',
    test: 'tests/settings/hostile-text.test.ts',
  },
  {
    promise: 'open redirector: sign-in leads to our own pages alone',
    file: 'services/auth-server/src/sign-in/sign-in-paths.ts',
    from: 'value && returnPaths.test(value) ? value : undefined',
    to: 'value || undefined',
    test: 'tests/oauth/redirect-targets.test.ts',
  },
];
