import type { AppRows, AppSnapshot } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { startOfDay } from '#shared/time/calendar-date.ts';
import type { Area } from '../areas/area-entity.ts';
import { openSnapshot, type TasksDatabase } from '../database/tasks-database.ts';
import type { Section } from '../projects/project-entity.ts';
import type { Session } from '../session.ts';
import {
  countClosedTasks,
  type ListedProjectRow,
  type ListedTaskRow,
  listedAreas,
  listedProjects,
  listedSections,
  listedTasks,
} from './listed-rows.ts';

export type SnapshotRows = {
  head: Omit<AppSnapshot, keyof AppRows>;
  areas: Area[];
  projects: ListedProjectRow[];
  sections: Section[];
  tasks: ListedTaskRow[];
};

/** Everything an account's lists show, as of one commit. The statements take one round trip together. */
export function readSnapshot(database: TasksDatabase, { account, today }: Session): Promise<SnapshotRows> {
  const closedSince = startOfDay(today, account.timezone);
  const ofAccount = [account.id];
  return database.transaction(openSnapshot, async (db) => {
    const [position, closedTaskCounts, areas, projects, sections, tasks] = await Promise.all([
      readFeedPosition(db, account.id),
      countClosedTasks(db, account.id),
      db.query<Area>({
        text: `select ${listedAreas.columns} from tasks.area where account_id = $1`,
        values: ofAccount,
      }),
      db.query<ListedProjectRow>({
        text: `select ${listedProjects.columns} from tasks.project
          where account_id = $1 and trashed_at is null`,
        values: ofAccount,
      }),
      db.query<Section>({
        // Those of trashed projects too: a project that is restored brings no change of its sections.
        text: `select ${listedSections.columns} from tasks.section where account_id = $1`,
        values: ofAccount,
      }),
      db.query<ListedTaskRow>({
        text: `select ${listedTasks.columns} from tasks.task
          where account_id = $1 and status = 'open' and trashed_at is null
          union all
          select ${listedTasks.columns} from tasks.task
          where account_id = $1 and status <> 'open' and trashed_at is null and closed_at >= $2`,
        values: [account.id, closedSince],
      }),
    ]);
    return {
      head: { ...position, account, closedTaskCounts },
      areas: areas.rows,
      projects: projects.rows,
      sections: sections.rows,
      tasks: tasks.rows,
    };
  });
}

async function readFeedPosition(
  db: Queryable,
  accountId: string,
): Promise<Pick<AppSnapshot, 'seq' | 'stamp'>> {
  const { rows } = await db.query<{ seq: number; stamp: string }>({
    name: 'feed-position',
    text: `select sequence as seq, changed_at as stamp from tasks.feed_entry where account_id = $1
      order by sequence desc limit 1`,
    values: [accountId],
  });
  return rows[0] ?? { seq: 0, stamp: null };
}

const rowsPerPiece = 500;

/** The JSON of an AppSnapshot in pieces, so that a large account's does not hold up other requests. */
export function* writeSnapshot({
  head,
  areas,
  projects,
  sections,
  tasks,
}: SnapshotRows): Generator<string, void, undefined> {
  yield JSON.stringify(head).slice(0, -1);
  yield* writeList('areas', areas, listedAreas.present);
  yield* writeList('projects', projects, listedProjects.present);
  yield* writeList('sections', sections, listedSections.present);
  yield* writeList('tasks', tasks, listedTasks.present);
  yield '}';
}

function* writeList<Name extends keyof AppRows, Row>(
  name: Name,
  rows: readonly Row[],
  present: (row: Row) => AppRows[Name][number],
): Generator<string> {
  yield `,"${name}":[`;
  for (let start = 0; start < rows.length; start += rowsPerPiece) {
    const piece = JSON.stringify(rows.slice(start, start + rowsPerPiece).map(present)).slice(1, -1);
    yield start === 0 ? piece : `,${piece}`;
  }
  yield ']';
}
