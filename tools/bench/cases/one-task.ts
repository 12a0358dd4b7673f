import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { compareReads } from '../stage/read-comparison.ts';
import { withConnection } from '../stage/stores.ts';

export const oneTask: BenchCase = {
  id: 'one-task',
  what: 'GET /tasks/{id}',
  goal: 'requests a second: at least 0.8 times those of R2',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const rows = await withConnection(
      databaseUrl,
      ({ sql }) => sql<{ account_id: string; id: string }>`
        select distinct on (account_id) account_id, id from tasks.task order by account_id, id`,
    );
    const taskIds = new Map(rows.map((row) => [row.account_id, row.id]));
    const rounds = await compareReads(
      bench,
      ['bare-server'],
      ({ accountId }) => `/tasks/${taskIds.get(accountId)}`,
    );
    return [
      compareRates(rounds, {
        id: 'bare-server',
        what: 'one task by id, against R2',
        goal: '≥ 0.8',
        bound: { atLeast: 0.8 },
        ours: 'service',
        reference: 'bare-server',
      }),
    ];
  },
};
