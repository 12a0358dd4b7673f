import type { Import } from './read-imports.ts';

type ImportRule = {
  says: string;
  /** The files it applies to. */
  from: RegExp;
  /** What they must not import, or all they may import. */
  never?: RegExp;
  only?: RegExp;
  /** For rules about behaviour: a type brings none. */
  ignoresTypes?: boolean;
};

const resourceApi = 'services/resource-api/src';
const authServer = 'services/auth-server/src';
const webApp = 'services/web-app/src';
const features = '(accounts|areas|projects|tasks)';
const frameworks = '(express|@mikro-orm/.*|ioredis|oidc-provider)$';
const machinery = '(http|auth|openapi|plans|notes|sync|idempotency|config)';

/** A module may use the services of those that stand after it. */
const directionOfServices = ['areas', 'projects', 'tasks', 'accounts'];

const pureFiles = [
  'shared/(scopes|plans)\\.ts',
  'shared/app/[\\w-]+\\.ts',
  'shared/(time|validation|errors)/[\\w-]+\\.ts',
  'shared/http/(path-ownership|protected-resource-urls|operation|constant-schema)\\.ts',
  'shared/tokens/[\\w-]+\\.ts',
  `${authServer}/operations\\.ts`,
  `${authServer}/[\\w-]+/[\\w-]+-operations?\\.ts`,
  `${authServer}/oauth/oauth-paths\\.ts`,
  `${resourceApi}/plans/plan-policy\\.ts`,
  `${resourceApi}/http/(cursor|page)\\.ts`,
  `${resourceApi}/tasks/(recurrence|recurrence-series|task-views|task-placement|checklist)\\.ts`,
].join('|');
const pureLibraries = 'yup|node:crypto|node:zlib|node:util';
const partsOfMain = 'config/config|context|app';
const webAppLibraries = 'preact(/hooks)?|@preact/signals|idb|chrono-node/.*|@atlaskit/pragmatic-.*';

export const importRules: readonly ImportRule[] = [
  { says: 'shared imports shared alone', from: /^shared\//, never: /^(services|deploy|tests|tools)\// },
  {
    says: 'a service imports the other’s operations for OpenAPI alone, and nothing that deploys or tests it',
    from: new RegExp(`^${resourceApi}/`),
    never: /^(services\/auth-server\/src\/(?!operations\.ts$)|deploy|tests|tools)\//,
  },
  {
    says: 'only the OpenAPI document reads auth-server’s operations',
    from: new RegExp(`^${resourceApi}/(?!openapi/)`),
    never: /^services\/auth-server\//,
  },
  {
    says: 'a service never imports the other one, nor what deploys or tests it',
    from: new RegExp(`^${authServer}/`),
    never: /^(services\/(resource-api|web-app)|deploy|tests|tools)\//,
  },
  {
    says: 'the web app, which runs in browsers, imports pure files of shared and its few libraries alone',
    from: new RegExp(`^${webApp}/`),
    only: new RegExp(`^(${webApp}/.*|${pureFiles}|${webAppLibraries})$`),
  },
  {
    says: 'deploy/local runs the services as programs and imports only their configuration',
    from: /^deploy\/local\//,
    never: /^(services\/(?![\w-]+\/src\/config\/config\.ts$)|tests\/|tools\/)/,
  },
  {
    says: 'deploy/admin imports admin/ and database/ of a service alone',
    from: /^deploy\/admin\//,
    never: /^(services\/(?!\w+-\w+\/src\/(admin\/|database\/))|tests\/|tools\/)/,
  },
  {
    says: 'main imports config, context, app and what reads the one and runs the others',
    from: /^services\/[\w-]+\/src\/main\.ts$/,
    only: new RegExp(
      `^(services/[\\w-]+/src/(${partsOfMain})|shared/(config/read-env|http/run-server))\\.ts$`,
    ),
  },
  {
    says: 'routes import schemas, services and presenters: no entity, repository, MikroORM or Express',
    from: new RegExp(`^${resourceApi}/${features}/[\\w-]+-routes\\.ts$`),
    never: new RegExp(`(-entity|-repository)\\.ts$|^${frameworks}`),
    ignoresTypes: true,
  },
  {
    says: 'routes import no entity, no repository and no MikroORM',
    from: new RegExp(`^${authServer}/.*-routes\\.ts$`),
    never: /(-entity|-repository)\.ts$|^@mikro-orm\//,
    ignoresTypes: true,
  },
  {
    says: 'services import no routes, no Express and no Redis',
    from: new RegExp(
      `^services/[\\w-]+/src/.*(-service|-transitions)\\.ts$|^${resourceApi}/${features}/(?!.*-routes)`,
    ),
    never: /-routes\.ts$|^(express|ioredis)$/,
  },
  {
    says: 'repositories import entities and MikroORM: no service, no route, no plan',
    from: /^services\/.*-repository\.ts$/,
    never: /(-service|-routes|-transitions|-schema|plan-policy)\.ts$|^(express|ioredis)$/,
  },
  {
    says: 'entities import pure files and MikroORM alone',
    from: /^services\/.*-entity\.ts$/,
    never: /(-service|-routes|-repository|-schema|session|context)\.ts$|^(express|ioredis)$/,
  },
  {
    says: 'schemas and presenters import no service, no repository and no framework',
    from: /^services\/.*\/(present-[\w-]+|[\w-]+-schema)\.ts$/,
    never: new RegExp(`(-service|-routes|-repository|session|context)\\.ts$|^${frameworks}`),
  },
  {
    says: 'pure files import pure files alone',
    from: new RegExp(`^(${pureFiles})$`),
    only: new RegExp(`^(${pureFiles}|${pureLibraries})$`),
    ignoresTypes: true,
  },
  {
    says: 'the assistant server uses the API; nothing of the API but app imports it',
    from: new RegExp(`^${resourceApi}/(?!assistant/|app\\.ts$)`),
    never: new RegExp(`^${resourceApi}/assistant/`),
  },
  {
    says: 'what serves every feature imports none of them',
    from: new RegExp(`^${resourceApi}/${machinery}/`),
    never: new RegExp(`^${resourceApi}/${features}/`),
  },
  ...directionOfServices.slice(1).map((module, index) => ({
    says: `services depend in the direction ${directionOfServices.join(' → ')}; against it on repositories`,
    from: new RegExp(`^${resourceApi}/${module}/`),
    never: new RegExp(
      `^${resourceApi}/(${directionOfServices.slice(0, index + 1).join('|')})/(?!.*-repository\\.ts$)`,
    ),
  })),
];

/** The imports that break a rule, each with the rule. */
export function brokenRules(imports: readonly Import[]): string[] {
  return importRules.flatMap(({ says, from, never, only, ignoresTypes }) =>
    imports
      .filter((entry) => from.test(entry.from) && !(ignoresTypes && entry.isTypeOnly))
      .filter(({ to }) => never?.test(to) || (only !== undefined && !only.test(to)))
      .map((entry) => `${entry.from} imports ${entry.to}: ${says}`),
  );
}
