import type { Import } from './read-imports.ts';

export type ImportRule = {
  /** The rule in words, as a failure shows it. */
  says: string;
  /** The files it binds. */
  from: RegExp;
  /** What they must not import, or all they may import. */
  never?: RegExp;
  only?: RegExp;
  /** For rules about behaviour, which a type cannot carry in. */
  ignoresTypes?: boolean;
};

const resourceApi = 'services/resource-api/src';
const authServer = 'services/auth-server/src';
const features = '(accounts|areas|projects|tasks)';
const frameworks = 'npm:(express|@mikro-orm/.*|ioredis|oidc-provider)$';

/** A module may use the services of those that stand after it. */
const directionOfServices = ['areas', 'projects', 'tasks', 'accounts'];

const pureFiles = [
  'shared/scopes\\.ts',
  'shared/(time|validation|errors|contracts)/[\\w-]+\\.ts',
  'shared/http/(path-ownership|protected-resource-urls|operation)\\.ts',
  'shared/tokens/[\\w-]+\\.ts',
  `${resourceApi}/plans/plan-policy\\.ts`,
  `${resourceApi}/http/(cursor|page|query)\\.ts`,
  `${resourceApi}/tasks/(recurrence|recurrence-series|task-views|task-placement|checklist)\\.ts`,
  `${resourceApi}/sync/feed-entry\\.ts`,
  `${resourceApi}/idempotency/(request-hash|retention)\\.ts`,
].join('|');
/** Calculation, without input or output. */
const pureLibraries = ['npm:yup$', 'node:crypto$', 'node:zlib$', 'node:util$'].join('|');

export const importRules: readonly ImportRule[] = [
  {
    says: 'shared imports shared alone',
    from: /^shared\//,
    never: /^(services|deploy|tests|tools)\//,
  },
  {
    says: 'a service never imports the other one, nor what deploys or tests it',
    from: new RegExp(`^${resourceApi}/`),
    never: /^(services\/auth-server|deploy|tests|tools)\//,
  },
  {
    says: 'a service never imports the other one, nor what deploys or tests it',
    from: new RegExp(`^${authServer}/`),
    never: /^(services\/resource-api|deploy|tests|tools)\//,
  },
  {
    says: 'node:http comes from shared/http/node-http, which loads less; process is there by itself',
    from: /^(services|shared|deploy)\//,
    never: /^node:(http|process)$/,
    ignoresTypes: true,
  },
  {
    says: 'deploy/local runs the services as programs; of their code it knows how they read their environment',
    from: /^deploy\/local\//,
    never: /^(services\/(?![\w-]+\/src\/config\/config\.ts$)|tests\/|tools\/)/,
  },
  {
    says: 'deploy/admin knows of a service its admin/ and its migrations',
    from: /^deploy\/admin\//,
    never: /^(services\/(?!\w+-\w+\/src\/(admin\/|database\/))|tests\/|tools\/)/,
  },
  {
    says: 'main imports config, context, app and what reads the one and runs the others',
    from: /^services\/[\w-]+\/src\/main\.ts$/,
    only: /^(services\/[\w-]+\/src\/(config\/config|context|app)|shared\/(config\/exit-on-config-error|http\/run-server))\.ts$/,
  },
  {
    says: 'routes know schemas, services and presenters: no entity, no repository, no MikroORM, no Express',
    from: new RegExp(`^${resourceApi}/${features}/[\\w-]+-routes\\.ts$`),
    never: new RegExp(`(-entity|-repository)\\.ts$|^${frameworks}`),
    // What a service hands over has the type of an entity.
    ignoresTypes: true,
  },
  {
    says: 'routes know no entity, no repository and no MikroORM',
    from: new RegExp(`^${authServer}/.*-routes\\.ts$`),
    never: /(-entity|-repository)\.ts$|^npm:@mikro-orm\//,
    ignoresTypes: true,
  },
  {
    says: 'services know nothing of routes, of Express and of Redis',
    from: new RegExp(
      `^services/[\\w-]+/src/.*(-service|-transitions)\\.ts$|^${resourceApi}/${features}/(?!.*-routes)`,
    ),
    never: /-routes\.ts$|^npm:(express|ioredis)$/,
  },
  {
    says: 'repositories know entities and MikroORM: no service, no route, no plan',
    from: /^services\/.*-repository\.ts$/,
    never: /(-service|-routes|-transitions|-schema|plan-policy)\.ts$|^npm:(express|ioredis)$/,
  },
  {
    says: 'entities know pure files and MikroORM alone',
    from: /^services\/.*-entity\.ts$/,
    never: /(-service|-routes|-repository|-schema|session|context)\.ts$|^npm:(express|ioredis)$/,
  },
  {
    says: 'schemas and presenters know no service, no repository and no framework',
    from: /^services\/.*\/(present-[\w-]+|[\w-]+-schema)\.ts$/,
    never: new RegExp(`(-service|-routes|-repository|session|context)\\.ts$|^${frameworks}`),
  },
  {
    says: 'pure files import pure files alone',
    from: new RegExp(`^(${pureFiles})$`),
    only: new RegExp(`^(${pureFiles})$|^(${pureLibraries})`),
    ignoresTypes: true,
  },
  {
    says: 'the assistant server stands on the API; nothing of the API knows of it',
    from: new RegExp(`^${resourceApi}/(?!assistant/|app\\.ts$)`),
    never: new RegExp(`^${resourceApi}/assistant/`),
  },
  {
    // The one exception: whom a token belongs to is asked of the accounts' repository.
    says: 'the machinery receives routes and definitions and imports no feature module',
    from: new RegExp(`^${resourceApi}/(http|auth|openapi|plans|notes|sync|idempotency|config)/`),
    never: new RegExp(`^${resourceApi}/(areas|projects|tasks|accounts)/(?!account-repository\\.ts$)`),
  },
  {
    says: 'only authentication reads the accounts from the machinery',
    from: new RegExp(`^${resourceApi}/(http|openapi|plans|notes|sync|idempotency|config)/`),
    never: new RegExp(`^${resourceApi}/accounts/`),
  },
  ...directionOfServices.flatMap((module, index): ImportRule[] => {
    const earlier = directionOfServices.slice(0, index);
    if (earlier.length === 0) return [];
    return [
      {
        says: `services go in the direction ${directionOfServices.join(' → ')}; against it only repositories are known`,
        from: new RegExp(`^${resourceApi}/${module}/`),
        never: new RegExp(`^${resourceApi}/(${earlier.join('|')})/(?!.*-repository\\.ts$)`),
      },
    ];
  }),
];

/** The imports that break a rule, each as `path:line` with what it must not import and why. */
export function brokenRules(
  imports: readonly Import[],
  rules: readonly ImportRule[] = importRules,
): string[] {
  return rules.flatMap((rule) =>
    imports
      .filter((entry) => rule.from.test(entry.from) && !(rule.ignoresTypes && entry.isTypeOnly))
      .filter(({ to }) => rule.never?.test(to) || (rule.only !== undefined && !rule.only.test(to)))
      .map(({ place, to }) => `${place} imports ${to}: ${rule.says}`),
  );
}
