import { appApiPath, type VersionPatch } from '#shared/app/app-protocol.ts';
import type { Answer, Api, ApiRequest } from './api.ts';
import { backOffMilliseconds } from './back-off.ts';
import { SignedOut } from './errors.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { publicPath } from './row-drafts.ts';
import { createSendBudget } from './send-budget.ts';
import type { createSendOutcomes, Sent } from './send-outcomes.ts';
import type { createSendPreparation } from './send-preparation.ts';
import { findSendable, joinBodies, type Sendable } from './sending-order.ts';
import { judge, type RefusedVerdict, type Verdict } from './verdict.ts';

const rowsAtOnce = 4;
const soonMilliseconds = 1000;
const faultsUntilHeld = 3;
const suspendedMilliseconds = 5000;

type SenderParts = {
  api: Api;
  outbox: Outbox;
  now: () => number;
  prepare: ReturnType<typeof createSendPreparation>;
  outcomes: ReturnType<typeof createSendOutcomes>;
  /** The connection or the session is gone: the outbox waits until `start`. */
  onFailure(error: unknown): void;
  onSuspended(): void;
};

/** Sends the outbox. Runs in the leading tab, while the rows are up to date. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #budget;
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #creating = new Set<Promise<void>>();
  /** Their joined request was refused: one by one, only the culprit is. */
  readonly #alone = new Set<number>();
  readonly #notBefore = new Map<number, number>();
  #isRunning = false;
  #pausedUntil = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#budget = createSendBudget(parts.now);
  }

  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Rows that the feed brings must not come before the answer that gives them their id. */
  async createsAnswered(): Promise<void> {
    await Promise.all(this.#creating);
  }

  wake(): void {
    clearTimeout(this.#timer);
    if (!this.#isRunning) return;
    const now = this.#parts.now();
    const records = this.#parts.outbox.records.value;
    if (now < this.#pausedUntil) {
      this.#wakeIn(this.#pausedUntil - now);
      return;
    }
    const sendable = findSendable(
      records,
      ({ n }) => this.#underWay.has(n),
      ({ n }) => this.#alone.has(n),
    );
    let soonest = Number.POSITIVE_INFINITY;
    for (const group of sendable) {
      if (this.#underWay.size >= rowsAtOnce) break;
      const wait = Math.max(this.#waitOf(group, now), this.#budget.waitMilliseconds());
      if (wait > 0) soonest = Math.min(soonest, wait);
      else this.#begin(group);
    }
    if (Number.isFinite(soonest)) this.#wakeIn(soonest);
  }

  #waitOf(group: Sendable, now: number): number {
    return Math.max(0, ...group.map(({ n }) => (this.#notBefore.get(n) ?? 0) - now));
  }

  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), milliseconds);
  }

  #begin(group: Sendable): void {
    const [first] = group;
    if (first === undefined) return;
    this.#budget.take();
    const work = this.#send(group, first)
      .catch((error: unknown) => {
        this.stop();
        this.#failures += 1;
        this.#pausedUntil = this.#parts.now() + backOffMilliseconds(this.#failures, null);
        this.#parts.onFailure(error);
      })
      .finally(() => {
        for (const { n } of group) this.#underWay.delete(n);
        this.#creating.delete(work);
        this.wake();
      });
    for (const { n } of group) this.#underWay.set(n, work);
    if (first.creates) this.#creating.add(work);
  }

  async #send(group: Sendable, first: OutboxRecord): Promise<void> {
    const { outbox, prepare, api } = this.#parts;
    const places = group.map(({ n }) => n);
    const isUnknown = group.some((record) => record.sentAt !== null);
    const body = await prepare(group, { ...joinBodies(group), isUnknown });
    if (body === 'settled') return;
    const version = this.#parts.outcomes.versionOf(first);
    const sentAt = this.#parts.now();
    const sentOn = first.sentOn ?? version;
    const found = await outbox.change(places, (record) => ({ ...record, sentAt, sentOn }));
    // Another tab has taken some back meanwhile: the rest is looked at anew.
    if (found.length < group.length) return this.#release(found.map(({ n }) => n));
    const [present = first] = outbox.records.value.filter(({ n }) => n === first.n);
    try {
      const answer = await api.send(requestOf(present, body, version));
      await this.#settle(group, { body, on: sentOn }, answer);
    } catch (error) {
      if (error instanceof SignedOut) await this.#release(places);
      throw error;
    }
  }

  async #settle(group: Sendable, sent: Sent, answer: Answer): Promise<void> {
    const { outcomes } = this.#parts;
    const verdict = judge(answer);
    if (verdict.kind !== 'later') this.#failures = 0;
    switch (verdict.kind) {
      case 'accepted':
        return outcomes.accept(group, sent, answer.body);
      case 'later':
        return this.#pause(group, verdict);
      case 'changed':
        for (const { n } of group) this.#notBefore.set(n, this.#parts.now() + soonMilliseconds);
        // A try before this one may have arrived.
        if (group.every((record) => record.sentAt === null)) await this.#release(group.map(({ n }) => n));
        return outcomes.pull();
      case 'fault':
        return this.#countFault(group, answer);
      case 'suspended':
        await this.#release(group.map(({ n }) => n));
        this.stop();
        this.#pausedUntil = this.#parts.now() + suspendedMilliseconds;
        return this.#parts.onSuspended();
      default:
        return this.#refuse(group, verdict, answer);
    }
  }

  async #refuse(group: Sendable, verdict: RefusedVerdict, answer: Answer): Promise<void> {
    const [only, ...others] = group;
    if (only === undefined) return;
    if (others.length === 0) return this.#parts.outcomes.refuse(only, verdict, answer.requestId);
    for (const { n } of group) this.#alone.add(n);
    await this.#release(group.map(({ n }) => n));
  }

  async #pause(group: Sendable, { seconds, isUnknown }: Extract<Verdict, { kind: 'later' }>): Promise<void> {
    this.#failures += 1;
    this.#pausedUntil = this.#parts.now() + backOffMilliseconds(this.#failures, seconds);
    if (!isUnknown) await this.#release(group.map(({ n }) => n));
  }

  async #countFault(group: Sendable, answer: Answer): Promise<void> {
    const faults = Math.max(...group.map((record) => record.faults)) + 1;
    const now = this.#parts.now();
    for (const { n } of group) this.#notBefore.set(n, now + backOffMilliseconds(faults, null));
    if (faults >= faultsUntilHeld) return this.#parts.outcomes.holdFaulty(group, answer.requestId);
    const places = group.map(({ n }) => n);
    await this.#parts.outbox.change(places, (record) => ({ ...record, faults }));
  }

  /** The server does not have it. */
  async #release(places: readonly number[]): Promise<void> {
    await this.#parts.outbox.change(places, (record) => ({ ...record, sentAt: null, sentOn: null }));
  }
}

/** Notes and checklists were merged with a version of the row: another one is not written over. */
function requestOf(
  { method, path, key }: OutboxRecord,
  body: OutboxRecord['body'],
  updatedAt: string,
): ApiRequest {
  if (method === 'POST') return { method, path, body, idempotencyKey: key };
  const isMerged = body !== null && ('description' in body || 'checklist' in body);
  if (!isMerged || updatedAt === '') return { method, path, body };
  const ofVersion: VersionPatch = { updatedAt, patch: body };
  return { method, path: path.replace(publicPath, appApiPath), body: ofVersion };
}
