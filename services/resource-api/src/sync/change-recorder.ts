import { ChangeSetType, type EventSubscriber, type FlushEventArgs } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { OpenFeed } from './account-feed.ts';
import {
  type FeedChange,
  type FeedEntity,
  type FeedEntry,
  feedEntities,
  mergeChanges,
} from './feed-entry.ts';
import { appendEntries } from './feed-repository.ts';

export type ChangeRecorder = {
  record(entity: FeedEntity, id: string, change: FeedChange): void;
  /** Writes down what was recorded since the last time; a record that is changed again gets another entry. */
  writeEntries(): Promise<void>;
};

const changes: Partial<Record<ChangeSetType, FeedChange>> = {
  [ChangeSetType.CREATE]: 'created',
  [ChangeSetType.UPDATE]: 'updated',
  [ChangeSetType.DELETE]: 'deleted',
};

/**
 * Stamps every row that the unit of work flushes and notes it for the feed, so that no service can forget either.
 * `em` must have an event manager of its own.
 */
export function createChangeRecorder(em: EntityManager, feed: OpenFeed): ChangeRecorder {
  const entries = new Map<string, FeedEntry>();
  const record: ChangeRecorder['record'] = (entity, id, change) => {
    const key = `${entity} ${id}`;
    entries.set(key, { entity, id, change: mergeChanges(entries.get(key)?.change, change) });
  };
  em.getEventManager().registerSubscriber(stampAndRecord(feed.changedAt, record));
  return {
    record,
    async writeEntries() {
      const recorded = [...entries.values()];
      entries.clear();
      await appendEntries(em, feed, recorded);
    },
  };
}

/** What no answer shows: a row that changes in nothing else is the same to everybody. */
const hiddenColumns: ReadonlySet<string> = new Set(['rendererVersion']);

const isHidden = (changed: object): boolean =>
  Object.keys(changed).every((column) => hiddenColumns.has(column));

function stampAndRecord(changedAt: Date, record: ChangeRecorder['record']): EventSubscriber {
  return {
    onFlush({ uow }: FlushEventArgs) {
      for (const { entity, type, meta, payload } of uow.getChangeSets()) {
        if (type === ChangeSetType.UPDATE && isHidden(payload)) continue;
        const name = feedEntities.find((candidate) => candidate === meta.tableName);
        const change = changes[type];
        if (name === undefined || change === undefined)
          throw new Error(`${meta.tableName} has no place in the feed`);
        record(name, entity.id, change);
        if (change === 'deleted') continue;
        entity.updatedAt = changedAt;
        uow.recomputeSingleChangeSet(entity);
      }
    },
  };
}
