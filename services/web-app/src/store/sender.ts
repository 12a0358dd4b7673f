import { appApiPath, type VersionPatch } from '#shared/app/app-protocol.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Answer, Api, ApiRequest } from './api.ts';
import { backOffMilliseconds } from './back-off.ts';
import { SignedOut } from './errors.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { createSendBudget } from './send-budget.ts';
import type { createSendOutcomes } from './send-outcomes.ts';
import type { createSendPreparation } from './send-preparation.ts';
import { findSendable } from './sending-order.ts';
import { judge, type Verdict } from './verdict.ts';

const rowsAtOnce = 4;
const soonMilliseconds = 1000;
const faultsUntilHeld = 3;
const suspendedMilliseconds = 5000;

type SenderParts = {
  api: Api;
  outbox: Outbox;
  prepare: ReturnType<typeof createSendPreparation>;
  outcomes: ReturnType<typeof createSendOutcomes>;
  /** Connection or session were lost: the outbox waits for `start`. */
  onFailure(): void;
  onSuspended(): void;
};

/** Sends the outbox, in the leading tab, while the rows are up to date. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #budget = createSendBudget();
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #creating = new Set<Promise<void>>();
  readonly #notBefore = new Map<number, number>();
  #isRunning = false;
  #pausedUntil = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Rows of the feed must not precede the response that has their id. */
  async createsAnswered(): Promise<void> {
    await Promise.all(this.#creating);
  }

  wake(): void {
    clearTimeout(this.#timer);
    if (!this.#isRunning) return;
    const now = performance.now();
    const records = this.#parts.outbox.records.value;
    if (now < this.#pausedUntil) {
      this.#wakeIn(this.#pausedUntil - now);
      return;
    }
    const sendable = findSendable(records, ({ n }) => this.#underWay.has(n));
    let soonest = Number.POSITIVE_INFINITY;
    for (const record of sendable) {
      if (this.#underWay.size >= rowsAtOnce) break;
      const ownWait = (this.#notBefore.get(record.n) ?? 0) - now;
      const wait = Math.max(ownWait, this.#budget.waitMilliseconds());
      if (wait > 0) soonest = Math.min(soonest, wait);
      else this.#begin(record);
    }
    if (Number.isFinite(soonest)) this.#wakeIn(soonest);
  }

  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), milliseconds);
  }

  #begin(record: OutboxRecord): void {
    this.#budget.take();
    const work = this.#send(record)
      .catch(() => {
        // Of concurrent failures the first one counts.
        if (!this.#isRunning) return;
        this.stop();
        // The connection is checked before the next start, so only another failure increases the delay.
        const wait = this.#failures === 0 ? 0 : backOffMilliseconds(this.#failures, null);
        this.#pausedUntil = performance.now() + wait;
        this.#failures += 1;
        this.#parts.onFailure();
      })
      .finally(() => {
        this.#underWay.delete(record.n);
        this.#creating.delete(work);
        this.wake();
      });
    this.#underWay.set(record.n, work);
    if (record.creates) this.#creating.add(work);
  }

  async #send(record: OutboxRecord): Promise<void> {
    const { outbox, prepare, api } = this.#parts;
    const body = await prepare(record);
    if (body === 'settled') return;
    const version = this.#parts.outcomes.versionOf(record);
    const sentAt = Date.now();
    const found = await outbox.change([record.n], (stored) => ({ ...stored, sentAt }));
    // Another tab has undone it.
    if (found.length === 0) return;
    try {
      const answer = await api.send(requestOf(outbox.latest(record), body, version));
      await this.#settle(record, body, answer);
    } catch (error) {
      if (error instanceof SignedOut) await this.#release(record);
      throw error;
    }
  }

  async #settle(record: OutboxRecord, sent: OutboxRecord['body'], answer: Answer): Promise<void> {
    const { outcomes } = this.#parts;
    const verdict = judge(answer);
    if (verdict.kind !== 'later') this.#failures = 0;
    switch (verdict.kind) {
      case 'accepted':
        return outcomes.accept(record, sent, answer.body);
      case 'later':
        return this.#pause(record, verdict);
      case 'changed':
        this.#notBefore.set(record.n, performance.now() + soonMilliseconds);
        await this.#release(record);
        return outcomes.pull();
      case 'fault':
        return this.#countFault(record, answer);
      case 'suspended':
        await this.#release(record);
        this.stop();
        this.#pausedUntil = performance.now() + suspendedMilliseconds;
        return this.#parts.onSuspended();
      default:
        return outcomes.refuse(record, verdict, answer.requestId);
    }
  }

  async #pause(
    record: OutboxRecord,
    { seconds, isUnknown }: Extract<Verdict, { kind: 'later' }>,
  ): Promise<void> {
    this.#failures += 1;
    this.#pausedUntil = performance.now() + backOffMilliseconds(this.#failures, seconds);
    if (!isUnknown) await this.#release(record);
  }

  async #countFault(record: OutboxRecord, answer: Answer): Promise<void> {
    const faults = record.faults + 1;
    this.#notBefore.set(record.n, performance.now() + backOffMilliseconds(faults, null));
    const { outbox } = this.#parts;
    const refused = { kind: 'fault', message: '', requestId: answer.requestId } as const;
    if (faults >= faultsUntilHeld) return outbox.refuse([record], refused, 'fault');
    await outbox.change([record.n], (stored) => ({ ...stored, faults }));
  }

  /** The server has not stored this attempt; an earlier one may have arrived. */
  async #release({ n, sentAt }: OutboxRecord): Promise<void> {
    if (sentAt === null) await this.#parts.outbox.change([n], (stored) => ({ ...stored, sentAt: null }));
  }
}

/** Notes and checklists were merged with this version of the row, so that no other version is overwritten. */
function requestOf(
  { method, path, key, command }: OutboxRecord,
  body: OutboxRecord['body'],
  updatedAt: string,
): ApiRequest {
  if (method === 'POST') return { method, path, body, command, idempotencyKey: key };
  const isMerged = body !== null && ('description' in body || 'checklist' in body);
  if (!isMerged || updatedAt === '') return { method, path, body, command };
  const ofVersion: VersionPatch = { updatedAt, patch: body };
  return { method, path: path.replace(apiRootPath, appApiPath), body: ofVersion, command };
}
