import type { Api } from './api.ts';
import type { Outbox, Rename } from './outbox.ts';
import type { AnsweredRecord, OutboxRecord } from './outbox-record.ts';
import type { Replica } from './replica.ts';
import { keyText } from './rows.ts';
import { createSendOutcomes } from './send-outcomes.ts';
import { createSendPreparation } from './send-preparation.ts';
import { Sender } from './sender.ts';
import type { SharedCopy } from './shared-copy.ts';
import type { Connection } from './store.ts';
import { Sync } from './sync.ts';
import type { Tabs } from './tabs.ts';

type Parts = {
  api: Api;
  outbox: Outbox;
  replica: Replica;
  copy: SharedCopy;
  tabs: Tabs;
  fetchTexts(ids: readonly string[]): Promise<void>;
  onAnswered(answered: AnsweredRecord): void;
  onConnection(connection: Connection): void;
  onCurrent(): void;
  onFault(error: unknown): void;
};

/** Sender and feed, which run in the leading tab and share results with the other tabs. */
export function createSync(parts: Parts) {
  const { api, outbox, replica, copy, tabs } = parts;
  let isLeading = false;

  /** Answers a newly opened tab; only the leader does. */
  function announce(connection: Connection): void {
    if (!isLeading) return;
    tabs.post({
      kind: 'connection',
      connection,
      account: replica.account.value,
      position: replica.position.value,
    });
  }

  /** It was done. Noted first: records that leave the outbox without a response count as not written. */
  async function conclude({ n, command, sentAt }: OutboxRecord, body: unknown = null): Promise<void> {
    const answered = { n, command, sentAt, body };
    parts.onAnswered(answered);
    tabs.post({ kind: 'answered', answered });
    await outbox.remove([n]);
  }

  async function rename(renames: readonly Rename[]): Promise<void> {
    await outbox.rename(renames);
    tabs.post({ kind: 'renames', renames });
  }

  const sender: Sender = new Sender({
    api,
    outbox,
    prepare: createSendPreparation({
      rows: replica.rows,
      outbox,
      fetchTexts: parts.fetchTexts,
      actorName: (key) => replica.actors.value.get(keyText(key))?.actor.name ?? null,
      rename,
      conclude,
    }),
    outcomes: createSendOutcomes({
      rows: replica.rows,
      outbox,
      applyRows: copy.apply,
      pull: () => sync.pull(),
      rename,
      conclude,
    }),
    onFailure: () => sync.retry(),
    onSuspended() {
      const account = replica.account.value;
      if (account !== null) replica.setAccount({ ...account, status: 'suspended' });
      sync.retry();
    },
  });

  const sync = new Sync({
    api,
    sender,
    position: () => replica.position.value,
    isSuspended: () => replica.account.value?.status === 'suspended',
    // The leader alone stores and shares what it has read.
    async apply(batch) {
      await (isLeading ? copy : replica).apply(batch);
    },
    onConnection(connection) {
      parts.onConnection(connection);
      announce(connection);
    },
    onCurrent: parts.onCurrent,
    onFault: parts.onFault,
  });

  async function run(signal: AbortSignal): Promise<void> {
    isLeading = true;
    await outbox.load();
    await copy.catchUp();
    await sync.run(signal);
  }

  return {
    /** Takes the leadership whenever it is free. */
    lead: () => tabs.lead(run),
    wake: () => sender.wake(),
    retry: () => sync.retry(),
    /** Reads changes. */
    pull: () => sync.pull(),
    announce,
    stop: () => sender.stop(),
  };
}
