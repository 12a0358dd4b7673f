import { Migration } from '@mikro-orm/migrations';
import { changesPerSweep, enterChanges, keptChanges } from './migration-0007-change-history.ts';

/**
 * The oldest changes are looked for where they are. From the start of the history, each search passed all
 * that the same transaction had removed, in quadratic time: an import of a million tasks took most of an
 * hour.
 */
export class Migration0024HistoryBounds extends Migration {
  override up(): void {
    const removedBefore = `newest - cardinality(ids) - ${keptChanges + changesPerSweep}`;
    this.addSql(enterChanges(`sequence <= newest - ${keptChanges} and sequence > ${removedBefore}`));
  }
}
