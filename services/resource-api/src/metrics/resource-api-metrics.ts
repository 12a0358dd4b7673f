import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { observeKeys } from '#shared/metrics/key-metrics.ts';
import { createServiceMetrics } from '#shared/metrics/service-metrics.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import type { RecordSource } from '../auth/token-cache.ts';
import { TokenRefusal } from '../auth/token-refusal.ts';
import type { RenderLoad, RenderObserver } from '../notes/notes-renderer.ts';
import type { WriteObserver } from '../session.ts';
import { observeLive } from './live-metrics.ts';

export function createResourceApiMetrics() {
  const service = createServiceMetrics();
  const { registry } = service;
  return {
    ...service,
    keys: observeKeys(registry, 'verification'),
    renderings: observeRenderings(registry),
    writes: observeWrites(registry),
    snapshots: observeSnapshots(registry),
    live: observeLive(registry),
    storage: observeStorage(registry),
    remindersQueued: observeReminders(registry),
    countToolCall: countToolCalls(registry),
    countUndo: countUndos(registry),
    countAdmission: countAdmissions(registry),
    /** `ageSeconds` is called whenever the metrics are read. */
    showLeaseAge: (ageSeconds: () => number) => showLeaseAge(registry, ageSeconds),
    countAuthentications: (authenticate: Authenticator) => countAuthentications(registry, authenticate),
    showRenderLoad: (load: () => RenderLoad) => showRenderLoad(registry, load),
  };
}

function countAdmissions(registry: Registry): (source: RecordSource) => void {
  const admissions = new Counter({
    name: 'admission_records_total',
    help: 'Look-ups of token records: cached, or the reason for reading PostgreSQL.',
    labelNames: ['source'],
    registers: [registry],
  });
  return (source) => admissions.inc({ source });
}

function showLeaseAge(registry: Registry, ageSeconds: () => number): void {
  new Gauge({
    name: 'admission_lease_age_seconds',
    help:
      'Age of the last read of token changes, +Inf before the first; ' +
      'from 2 seconds on the cache is not used.',
    registers: [registry],
    collect() {
      this.set(ageSeconds());
    },
  });
}

/** Counts authentications by outcome; `unavailable`: the database could not be read. */
function countAuthentications(registry: Registry, authenticate: Authenticator): Authenticator {
  const authentications = new Counter({
    name: 'authentications_total',
    help:
      'Authentications by outcome: accepted, the reason for refusal, ' +
      'or unavailable (PostgreSQL could not be read).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['accepted', 'unavailable']) authentications.inc({ outcome }, 0);
  return async (...asked) => {
    try {
      const principal = await authenticate(...asked);
      authentications.inc({ outcome: 'accepted' });
      return principal;
    } catch (error) {
      authentications.inc({ outcome: error instanceof TokenRefusal ? error.reason : 'unavailable' });
      throw error;
    }
  };
}

function observeRenderings(registry: Registry): RenderObserver {
  const registers = [registry];
  const renderings = new Counter({
    name: 'notes_renderings_total',
    help: 'Renderings of notes: html, or the reason for showing plain text.',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'notes_rendering_duration_seconds',
    help: 'Duration of renderings, including the time in the queue.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return {
    renderingEnded(outcome, milliseconds) {
      renderings.inc({ outcome });
      duration.observe(milliseconds / 1_000);
    },
  };
}

/** `load` is called whenever the metrics are read. */
function showRenderLoad(registry: Registry, load: () => RenderLoad): void {
  const registers = [registry];
  new Gauge({
    name: 'notes_renderings_queued',
    help: 'Renderings waiting for a thread.',
    registers,
    collect() {
      this.set(load().queued);
    },
  });
  new Gauge({
    name: 'notes_rendering_threads',
    help: 'Threads that render notes, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busyThreads, idleThreads } = load();
      this.set({ state: 'busy' }, busyThreads);
      this.set({ state: 'idle' }, idleThreads);
    },
  });
}

function countToolCalls(registry: Registry) {
  const calls = new Counter({
    name: 'assistant_tool_calls_total',
    help: 'Calls of the assistant server’s tools, by outcome.',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  return (tool: string, outcome: 'success' | 'failure'): void => calls.inc({ tool, outcome });
}

export type UndoResult = 'undone' | 'partly' | 'kept';

function countUndos(registry: Registry): (result: UndoResult) => void {
  const undos = new Counter({
    name: 'undo_total',
    help: 'Undone transactions: whole, in part, or not, because of later changes or missing rights.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['undone', 'partly', 'kept']) undos.inc({ result }, 0);
  return (result) => undos.inc({ result });
}

function observeReminders(registry: Registry): (count: number, lateSeconds: number) => void {
  const registers = [registry];
  const due = new Counter({
    name: 'reminders_due_total',
    help: 'Due reminders that were queued.',
    registers,
  });
  const late = new Gauge({
    name: 'reminders_queued_late_seconds',
    help: 'Delay between due time and queueing of the oldest reminder in the last batch.',
    registers,
  });
  return (count, lateSeconds) => {
    due.inc(count);
    late.set(lateSeconds);
  };
}

function observeSnapshots(registry: Registry) {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'snapshot_seconds',
    help: 'How long the web app’s first read of an account took in the database, waiting included.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const bytes = new Histogram({
    name: 'snapshot_bytes',
    help: 'What the web app’s first read of an account sends, before compression.',
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8],
    registers,
  });
  const entries = new Histogram({
    name: 'changes_entries',
    help: 'Entries of the feed in one read of the web app.',
    buckets: [0, 1, 3, 10, 30, 100, 300, 1_000],
    registers,
  });
  return {
    read: (milliseconds: number) => seconds.observe(milliseconds / 1_000),
    sent: (size: number) => bytes.observe(size),
    changesRead: (count: number) => entries.observe(count),
  };
}

function observeWrites(registry: Registry): WriteObserver & { replayed(): void } {
  const registers = [registry];
  const queueWait = new Histogram({
    name: 'account_queue_wait_seconds',
    help: 'Time that a write waited in the queue of its account.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5],
    registers,
  });
  const writes = new Counter({
    name: 'feed_writes_total',
    help: 'Committed transactions with changes.',
    registers,
  });
  const entries = new Counter({
    name: 'feed_entries_total',
    help: 'Entries appended to change feeds.',
    registers,
  });
  const replays = new Counter({
    name: 'idempotency_replays_total',
    help: 'Responses replayed from an idempotency record.',
    registers,
  });
  return {
    started: (milliseconds) => queueWait.observe(milliseconds / 1_000),
    committed(changedRows) {
      if (changedRows === 0) return;
      writes.inc();
      entries.inc(changedRows);
    },
    replayed: () => replays.inc(),
  };
}

function observeStorage(registry: Registry) {
  const registers = [registry];
  const fullest = new Gauge({
    name: 'account_storage_fullest_bytes',
    help: 'Bytes stored by the fullest account, measured about once a minute.',
    registers,
  });
  const limit = new Gauge({
    name: 'account_storage_limit_bytes',
    help: 'Storage limit of an account (ACCOUNT_STORAGE_MEGABYTES).',
    registers,
  });
  const refusals = new Counter({
    name: 'account_storage_refusals_total',
    help: 'Writes refused by the storage limit.',
    registers,
  });
  return {
    measured: (bytes: number) => fullest.set(bytes),
    refused: () => refusals.inc(),
    limit: (bytes: number) => limit.set(bytes),
  };
}
