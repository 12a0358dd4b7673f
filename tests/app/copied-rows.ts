import type { AppChanges, AppEntity, AppRows, AppSnapshot } from '#shared/app/app-protocol.ts';
import type { WebAppClient } from './web-app-client.ts';

const lists = { task: 'tasks', project: 'projects', section: 'sections', area: 'areas' } as const;

/** What a client holds that reads a snapshot once and changes from then on. */
export async function startCopy({ app }: Pick<WebAppClient, 'app'>) {
  const { body: snapshot } = await app.get<AppSnapshot>('/snapshot');
  const rows = new Map<string, { entity: AppEntity; row: AppRows[keyof AppRows][number] }>();
  const keep = (upserts: AppRows) => {
    for (const [entity, list] of Object.entries(lists))
      for (const row of upserts[list]) rows.set(row.id, { entity: entity as AppEntity, row });
  };
  keep(snapshot);
  let { seq, stamp, closedTaskCounts } = snapshot;
  return {
    async catchUp(limit = 1_000): Promise<void> {
      for (let more = true; more; ) {
        const query = `after=${seq}&limit=${limit}${stamp === null ? '' : `&stamp=${stamp}`}`;
        const { body } = await app.get<AppChanges>(`/changes?${query}`);
        if (body.reset) throw new Error(`reset after ${seq}`);
        keep(body.upserts);
        for (const { id } of body.gone) rows.delete(id);
        ({ seq, stamp, more } = body);
        closedTaskCounts = body.closedTaskCounts ?? closedTaskCounts;
      }
    },
    /** As a snapshot shows it: nothing from the Trash. */
    shown() {
      const outsideTrash = [...rows.values()].filter(({ row }) => !('inTrash' in row && row.inTrash));
      return { seq, stamp, closedTaskCounts, rows: sorted(outsideTrash) };
    },
  };
}

export function shownIn(snapshot: AppSnapshot) {
  const { seq, stamp, closedTaskCounts } = snapshot;
  const rows = Object.entries(lists).flatMap(([entity, list]) =>
    snapshot[list].map((row) => ({ entity: entity as AppEntity, row })),
  );
  return { seq, stamp, closedTaskCounts, rows: sorted(rows) };
}

function sorted<Entry extends { row: { id: string } }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => (one.row.id < other.row.id ? -1 : 1));
}
