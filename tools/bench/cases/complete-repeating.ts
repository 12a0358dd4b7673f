import { sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import type { World } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { sampleNotes } from '../stage/sample-notes.ts';
import { withConnection } from '../stage/stores.ts';
import { requestsOf } from '../stage/world-requests.ts';

export const completeRepeating: BenchCase = {
  id: 'complete-repeating',
  what: 'POST /tasks/{id}/complete of a repeating task',
  goal: 'takes at most 1.4 times as long as a create',
  async run(bench) {
    const world = await bench.world();
    const { databaseUrl, clients } = world;
    const repeating = await findRepeating(world);
    const body = { title: 'Order what is missing', description: sampleNotes };
    const creates = requestsOf(clients, () => ({ method: 'POST', path: '/tasks', body }));
    const completions = requestsOf(clients, ({ accountId }, index) => {
      const ids = repeating.get(accountId) ?? [];
      return { method: 'POST', path: `/tasks/${ids[index % ids.length]}/complete` };
    });
    const rounds = await interleave<'complete' | 'create'>(async (parts) => {
      const servers = [parts.use(await bench.startService({ service: 'resource-api', databaseUrl }))];
      const contenderOf = <Name extends string>(
        name: Name,
        requests: readonly Buffer[],
        expectedStatus: number,
      ) => httpContender(bench, { name, servers, sources: sharedSources(requests), expectedStatus });
      return [contenderOf('complete', completions, 200), contenderOf('create', creates, 201)];
    }, bench);
    return [
      compareRates(rounds, {
        id: 'create',
        what: 'complete a repeating task, against a create',
        goal: '≤ 1.4',
        bound: { atMost: 1.4 },
        ours: 'complete',
        reference: 'create',
      }),
    ];
  },
};

async function findRepeating({ databaseUrl }: World): Promise<Map<string, string[]>> {
  const rows = await withConnection(
    databaseUrl,
    ({ sql }) => sql<{ account_id: string; id: string }>`
      select account_id, id from tasks.task where recurrence is not null and status = 'open' and trashed_at is null`,
  );
  const groups = Map.groupBy(rows, (row) => row.account_id);
  return new Map([...groups].map(([accountId, of]) => [accountId, of.map(({ id }) => id)]));
}
