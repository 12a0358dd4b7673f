import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import type { StoredRows } from './stored-rows.ts';

export type Random = () => number;
/** The id of something that the account has. */
export type Pick = (entity: string) => string;
/** A client without the app's own root does not do what the app alone may. */
type Client = ApiClient & { app?: ApiClient };
type Send = (client: Client, pick: Pick, random: Random) => Promise<ApiResponse> | undefined;

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const dates = [null, '2026-11-20', '2026-11-24', '2026-12-31'];
const rules = [null, { frequency: 'daily' }, { frequency: 'weekly', fromCompletion: true }];

const someFields = (random: Random) => {
  const dueDate = oneOf(random, dates);
  const fields = {
    title: `Title ${Math.floor(random() * 100)}`,
    description: oneOf(random, [null, 'plain', '**bold** notes']),
    dueDate,
    deadlineDate: oneOf(random, dates),
    reminderTime: dueDate === null ? null : oneOf(random, [null, '09:30']),
    recurrence: oneOf(random, rules),
    checklist: oneOf(random, [[], [{ title: 'step', completed: true }], [{ title: 'a' }, { title: 'b' }]]),
  };
  return Object.fromEntries(Object.entries(fields).filter(() => random() < 0.4));
};

const toTask =
  (action: string): Send =>
  (client, pick) =>
    client.post(`/tasks/${pick('task')}/${action}`);

/** Weighted as people work; what an account does not allow is refused. */
const changes: readonly [weight: number, send: Send][] = [
  [
    12,
    (client, pick, random) => {
      const place = oneOf(random, [{}, { projectId: pick('project') }, { sectionId: pick('section') }]);
      return client.post('/tasks', { ...someFields(random), title: 'New', ...place });
    },
  ],
  [12, (client, pick, random) => client.patch(`/tasks/${pick('task')}`, someFields(random))],
  [
    8,
    (client, pick, random) => {
      const lists = [{ list: 'inbox' }, { list: 'someday' }];
      const places = [{ projectId: pick('project') }, { sectionId: pick('section') }];
      return client.post(`/tasks/${pick('task')}/move`, oneOf(random, [...lists, ...places]));
    },
  ],
  [10, toTask('complete')],
  [4, toTask('skip')],
  [4, toTask('uncomplete')],
  [3, toTask('cancel')],
  [2, toTask('uncancel')],
  [5, toTask('restore')],
  [5, (client, pick) => client.delete(`/tasks/${pick('task')}`)],
  [3, (client, _, random) => client.post('/projects', { ...projectFields(random), title: 'New project' })],
  [3, (client, pick, random) => client.patch(`/projects/${pick('project')}`, projectFields(random))],
  [
    2,
    (client, pick, random) =>
      client.patch(`/projects/${pick('project')}`, { areaId: oneOf(random, [null, pick('area')]) }),
  ],
  [
    4,
    (client, pick, random) =>
      client.post(`/projects/${pick('project')}/complete`, { completeChildTasks: random() < 0.5 }),
  ],
  [3, (client, pick) => client.post(`/projects/${pick('project')}/uncomplete`)],
  [2, (client, pick) => client.delete(`/projects/${pick('project')}`)],
  [3, (client, pick) => client.app?.post(`/projects/${pick('project')}/restore`)],
  [5, (client, pick) => client.post(`/projects/${pick('project')}/sections`, { title: 'New section' })],
  [
    4,
    (client, pick, random) =>
      client.patch(sectionPath(pick), { title: 'Other', position: Math.floor(random() * 4) }),
  ],
  [3, (client, pick) => client.delete(sectionPath(pick))],
  [6, (client, pick, random) => position(client, 'task', pick, oneOf(random, ['list', 'day']), random)],
  [2, (client, pick, random) => position(client, 'project', pick, 'list', random)],
  [2, (client, pick, random) => position(client, 'area', pick, 'list', random)],
  [2, (client) => client.post('/areas', { title: 'New area' })],
  [1, (client, pick) => client.patch(`/areas/${pick('area')}`, { title: 'Other area' })],
  [2, (client, pick) => client.delete(`/areas/${pick('area')}`)],
];

const position = (
  client: Client,
  entity: string,
  pick: (entity: string) => string,
  scope: string,
  random: Random,
) => {
  const after = random() < 0.3 ? null : pick(entity);
  return client.app?.post(`/${entity}s/${pick(entity)}/position`, { after, scope });
};

const projectFields = (random: Random) => ({
  title: `Project ${Math.floor(random() * 100)}`,
  ...(random() < 0.5 && { description: oneOf(random, [null, '_notes_']) }),
  ...(random() < 0.5 && { deadlineDate: oneOf(random, dates) }),
});

/** `section project/section` as `pick` returns it. */
const sectionPath = (pick: (entity: string) => string) => {
  const [projectId, id] = pick('section of project').split('/');
  return `/projects/${projectId}/sections/${id}`;
};

const totalWeight = changes.reduce((sum, [weight]) => sum + weight, 0);
const missing = '00000000-0000-4000-8000-000000000000';
const absent = { id: missing, project_id: missing };

export function pickFrom(rows: StoredRows, random: Random): Pick {
  const found = Map.groupBy(rows.values(), ({ entity }) => entity);
  return (wanted) => {
    const [entity = ''] = wanted.split(' ');
    const among = found.get(entity);
    const row: Record<string, unknown> = among === undefined ? absent : oneOf(random, among).row;
    return wanted === 'section of project' ? `${row.project_id}/${row.id}` : String(row.id);
  };
}

/** Tries one change of something that the account has; returns the status of the response. */
export async function tryChange(client: Client, pick: Pick, random: Random): Promise<number | undefined> {
  let choice = random() * totalWeight;
  const chosen = changes.find(([weight]) => {
    choice -= weight;
    return choice < 0;
  });
  return (await chosen?.[1](client, pick, random))?.status;
}
