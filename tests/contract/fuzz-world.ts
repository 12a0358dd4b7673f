import { randomUUID } from 'node:crypto';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Page } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import type { AccountClient, Stack } from '#tests/support/stack.ts';
import {
  type FilledRequest,
  type FuzzRequest,
  fillIn,
  type Reference,
  referencesIn,
  toWire,
} from './fuzz-request.ts';
import { type Answer, createKnownResources, type KnownResources, noteChange } from './known-resources.ts';
import type { OAuthSupply } from './oauth-supply.ts';

export type Plan = 'free' | 'premium';

/** An account with some of everything, and what requests may refer to. */
export type FuzzWorld = {
  plan: Plan;
  known: KnownResources;
  /** Replaces what stands for something of this account; makes it when there is none left. */
  fill(request: FuzzRequest): Promise<FilledRequest>;
  observe(request: FilledRequest, answer: Answer): void;
  /** Its lists have become long: time for another one. */
  isWorn(): boolean;
};

/** Of a list that no request of the fuzzer asks for. */
export const foreignCursor = 'cursor of another list';

const keptTasks = 6;
const keptProjects = 2;
const longestList = 60;

export async function createFuzzWorld(stack: Stack, oauth: OAuthSupply, plan: Plan): Promise<FuzzWorld> {
  const client = await stack.newClient({ plan });
  const known = createKnownResources();
  const supply = {
    ...resourceSupply(client, known),
    ...tokenSupply(stack, client),
    ...oauthReferences(oauth),
  };

  const valueFor = async (one: Reference, request: FuzzRequest): Promise<unknown> => {
    const kind = one.$reference;
    const resource = /^gone (\w+)$/.exec(kind)?.[1] as keyof KnownResources['gone'] | undefined;
    if (resource !== undefined) return pickOf(known.gone[resource], one.pick);
    if (kind.startsWith('resource ')) return stack.baseUrl + kind.slice('resource '.length);
    if (kind === 'project of the section') return projectOfSection(known, request, one.pick);
    const inCapitals = kind.endsWith(' in capitals');
    const value = await supply[kind.replace(' in capitals', '')]?.(one.pick);
    if (value === undefined) throw new Error(`nothing is known that ${kind} could stand for`);
    return inCapitals ? String(value).toUpperCase() : value;
  };

  const fill: FuzzWorld['fill'] = async (request) => {
    const { path, query, headers, body } = request;
    const resolved = new Map<Reference, unknown>();
    const others = referencesIn({ path: { ...path, id: undefined }, query, headers, body });
    for (const one of [...others, ...referencesIn(path.id)]) {
      if (one.$reference.includes('cursor')) continue;
      resolved.set(
        one,
        await valueFor(one, { ...request, path: fillIn(path, resolved) as FuzzRequest['path'] }),
      );
    }
    const filled = {
      ...request,
      ...(fillIn({ path, query, headers, body }, resolved) as typeof request),
      filled: true as const,
    };
    const cursors = referencesIn(query).filter(({ $reference }) => $reference.includes('cursor'));
    if (cursors.length > 0) await supply.task?.(0);
    return cursors.length === 0
      ? filled
      : { ...filled, query: await withCursor(stack, filled, request.query) };
  };

  return {
    plan,
    known,
    fill,
    observe(request, answer) {
      noteChange(known, request, answer);
      if (request.operation.id === 'requestToken' && answer.status === 200) oauth.observeTokens(answer.body);
    },
    isWorn: () =>
      Math.max(known.tasks.size, known.projects.size, known.areas.size, known.sections.size) > longestList,
  };
}

type Supply = Readonly<Record<string, (pick: number) => Promise<unknown>>>;

function resourceSupply(client: AccountClient, known: KnownResources): Supply {
  const active = () => [...known.projects].filter(([, state]) => state === 'active').map(([id]) => id);
  const project = async (pick: number): Promise<string> => {
    while (active().length < keptProjects) known.projects.set((await makeProject(client)).id, 'active');
    return pickOf([...known.projects.keys()], pick);
  };
  return {
    project,
    async task(pick) {
      const usable = () =>
        [...known.tasks.values()].filter((task) => task?.status === 'open' && !task.inTrash);
      while (usable().length < keptTasks) {
        const recurrence = usable().length % 2 ? { frequency: 'weekly' as const } : undefined;
        const projectId = usable().length % 3 ? undefined : await project(0).then(() => active()[0]);
        const task = await makeTask(client, { recurrence, projectId });
        known.tasks.set(task.id, task);
      }
      return pickOf([...known.tasks.keys()].toReversed(), pick);
    },
    async section(pick) {
      await project(0);
      while (known.sections.size < 2) {
        const [projectId = ''] = active();
        known.sections.set((await makeSection(client, projectId)).id, projectId);
      }
      return pickOf([...known.sections.keys()].toReversed(), pick);
    },
    async area(pick) {
      if (known.areas.size === 0) known.areas.add((await makeArea(client)).id);
      return pickOf([...known.areas], pick);
    },
  };
}

function tokenSupply(stack: Stack, client: AccountClient): Supply {
  const bearer = ({ secret }: { secret: string }): string => `Bearer ${secret}`;
  return {
    authorization: async () => bearer(client.token),
    'personal token': async () => client.token.secret,
    'authorization for reading': async () =>
      bearer(await stack.createToken(client.account, { scopes: ['read'] })),
    'authorization for writing': async () =>
      bearer(await stack.createToken(client.account, { scopes: ['write'] })),
    'authorization expired': async () =>
      bearer(await stack.createToken(client.account, { expiresAt: new Date(Date.now() - 60_000) })),
    async 'authorization revoked'() {
      const token = await stack.createToken(client.account);
      await stack.revokeToken(token);
      return bearer(token);
    },
    'authorization of a suspended account': async () =>
      bearer(await stack.createToken(await stack.createAccount({ status: 'suspended' }))),
    'new key': async (length) => randomUUID() + '~'.repeat(length),
  };
}

function oauthReferences(oauth: OAuthSupply): Supply {
  return {
    client: () => oauth.clientId(),
    refresh: () => oauth.refresh(),
    code: () => oauth.redemption(),
    'access token': () => oauth.accessToken(),
  };
}

/** Of the section that the request names, or any. */
async function projectOfSection(known: KnownResources, request: FuzzRequest, pick: number): Promise<string> {
  const projectId = known.sections.get(String(request.path.sectionId).toLowerCase());
  return projectId ?? pickOf([...known.projects.keys(), randomUUID()], pick);
}

/** The query with the cursor that the list gives for it; without one when the list has but one page. */
async function withCursor(
  stack: Stack,
  request: FilledRequest,
  asked: FuzzRequest['query'],
): Promise<FuzzRequest['query']> {
  const isForeign = referencesIn(asked).some(({ $reference }) => $reference === foreignCursor);
  const others = request.query.filter(([name]) => name !== 'cursor' && name !== 'limit');
  const { method, target, headers } = toWire({ ...request, query: [...others, ['limit', 1]] });
  const list = isForeign ? `${apiRootPath}/tasks?view=all&limit=1&updatedSince=1999-09-09T09:09:09Z` : target;
  const { body } = await stack.site.request<Page<unknown>>(method, list, { headers });
  return request.query.flatMap(([name, value]) => {
    if (name !== 'cursor') return [[name, value] as const];
    return body.nextCursor ? [[name, body.nextCursor] as const] : [];
  });
}

function pickOf<Value>(values: readonly Value[], pick: number): Value {
  const value = values[pick % values.length];
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
}
