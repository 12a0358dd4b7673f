import type { MigrationList } from '#shared/database/migrate.ts';
import { Migration0001Tasks } from './migrations/migration-0001-tasks.ts';
import { Migration0002TokenUse } from './migrations/migration-0002-token-use.ts';
import { Migration0003KeptAnswers } from './migrations/migration-0003-kept-answers.ts';
import { Migration0004SettledChanges } from './migrations/migration-0004-settled-changes.ts';
import { Migration0005FeedTriggers } from './migrations/migration-0005-feed-triggers.ts';
import { Migration0006PlacesAndStamps } from './migrations/migration-0006-places-and-stamps.ts';
import { Migration0007ChangeHistory } from './migrations/migration-0007-change-history.ts';
import { Migration0008PendingRenderings } from './migrations/migration-0008-pending-renderings.ts';
import { Migration0009StoredBytes } from './migrations/migration-0009-stored-bytes.ts';
import { Migration0010SeriesDates } from './migrations/migration-0010-series-dates.ts';
import { Migration0011AccountErasure } from './migrations/migration-0011-account-erasure.ts';
import { Migration0012Reminders } from './migrations/migration-0012-reminders.ts';
import { Migration0021AccountImports } from './migrations/migration-0021-account-imports.ts';
import { Migration0024HistoryBounds } from './migrations/migration-0024-history-bounds.ts';
import { Migration0025UndoneChanges } from './migrations/migration-0025-undone-changes.ts';

/** In order. Released migrations never change. */
export const taskMigrations: MigrationList = [
  { name: '0001-tasks', class: Migration0001Tasks },
  { name: '0002-token-use', class: Migration0002TokenUse },
  { name: '0003-kept-answers', class: Migration0003KeptAnswers },
  { name: '0004-settled-changes', class: Migration0004SettledChanges },
  { name: '0005-feed-triggers', class: Migration0005FeedTriggers },
  { name: '0006-places-and-stamps', class: Migration0006PlacesAndStamps },
  { name: '0007-change-history', class: Migration0007ChangeHistory },
  { name: '0008-pending-renderings', class: Migration0008PendingRenderings },
  { name: '0009-stored-bytes', class: Migration0009StoredBytes },
  { name: '0010-series-dates', class: Migration0010SeriesDates },
  { name: '0011-account-erasure', class: Migration0011AccountErasure },
  { name: '0012-reminders', class: Migration0012Reminders },
  { name: '0021-account-imports', class: Migration0021AccountImports },
  { name: '0024-history-bounds', class: Migration0024HistoryBounds },
  { name: '0025-undone-changes', class: Migration0025UndoneChanges },
];
