import type { Page } from '#tests/support/api-types.ts';
import { countOf, openContenders, type Race, type RaceResult, type RaceWorld } from './race.ts';

const creations = 50;
const projectCap = 5;
const kinds = [
  { path: '/projects', cap: projectCap },
  { path: '/areas', cap: 2 },
] as const;
type CappedKind = (typeof kinds)[number];

/** 50 creations at once on a free account that has none, or all but one of what its plan allows. */
export const capsInParallel: Race = async (world) => {
  const figures: RaceResult['figures'] = {};
  const misses: string[] = [];
  for (const kind of kinds) {
    for (const present of [0, kind.cap - 1]) {
      const { created, refused, stored } = await createAtOnce(world, kind, present);
      figures[`${kind.path} at ${present}`] = `${created} × 201, ${refused} × 403`;
      const isExact =
        created === kind.cap - present && created + refused === creations && stored === kind.cap;
      if (!isExact)
        misses.push(`${creations} at once with ${present} ${kind.path}: ${created} made, ${stored} there`);
    }
  }
  return { figures, misses };
};

async function createAtOnce(world: RaceWorld, { path }: CappedKind, present: number) {
  const contenders = await openContenders(world, { clients: creations, plan: 'free' });
  const create = (client: number) =>
    contenders.clients[client]?.({ method: 'POST', path, body: { title: 'Made' } });
  try {
    for (let made = 0; made < present; made += 1) await create(made);
    const answers = await Promise.all(contenders.clients.map((_, client) => create(client)));
    const statuses = answers.map((answer) => answer?.status ?? 0);
    const list = await contenders.clients[0]?.({ method: 'GET', path: `${path}?limit=200` });
    const stored = (list?.body as Page<unknown> | undefined)?.items.length;
    return { created: countOf(statuses, 201), refused: countOf(statuses, 403), stored };
  } finally {
    contenders.close();
  }
}

/** A Premium account becomes free while it makes projects: none beyond the cap is made from then on. */
export function downgradeRaces(rounds: number): Race {
  return async (world) => {
    const misses: string[] = [];
    let madeAsPremium = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { before, beyond } = await downgradeWhileCreating(world);
      madeAsPremium += before;
      if (beyond > 0) misses.push(`${beyond} projects beyond the cap were made after a downgrade`);
    }
    return { figures: { downgradeRaces: rounds, madeBeforeTheDowngrade: madeAsPremium }, misses };
  };
}

async function downgradeWhileCreating(world: RaceWorld): Promise<{ before: number; beyond: number }> {
  const contenders = await openContenders(world, { clients: 20 });
  const { accountId } = contenders.account;
  try {
    const creating = contenders.clients.map((send, index) =>
      send({ method: 'POST', path: '/projects', body: { title: `Project ${index}` } }),
    );
    await creating[4];
    await contenders.setPlan('free');
    const before = await countProjects(world, accountId);
    await Promise.all(creating);
    // One more may have had the account's lock, and read the plan, when the downgrade was committed: never two.
    const allowed = Math.max(before + 1, projectCap);
    return { before, beyond: Math.max(0, (await countProjects(world, accountId)) - allowed) };
  } finally {
    contenders.close();
  }
}

async function countProjects({ sql }: RaceWorld, accountId: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::int as count from tasks.project where account_id = ${accountId}`;
  return row?.count ?? Number.NaN;
}
