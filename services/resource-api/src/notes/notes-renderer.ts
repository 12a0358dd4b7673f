import PQueue from 'p-queue';
import { Piscina } from 'piscina';
import { createQueuePerKey } from '#shared/queue/run-queued.ts';
import type { RenderingTask } from './render-worker.ts';

/** Raise it when the same notes yield other HTML. `notes render` renders notes with a lower version again. */
export const notesRendererVersion = 3;
/** Version of notes shown as plain text because they exceed a limit. */
const fallbackVersion = 0;
/** Version of notes shown as plain text after a timeout: they are rendered again soon. */
export const pendingVersion = -1;

/** `version` is stored with the HTML. */
export type Rendering = { html: string; version: number };

/** The columns of notes; empty ones count as none. */
export function notesColumns(notes: string | null | undefined, { html, version }: Rendering) {
  return { description: notes || null, descriptionHtml: html, rendererVersion: version };
}

/** The columns to store of notes in a patch: unsent and unchanged ones keep their rendering, of whatever version. */
export function changedNotes(kept: string | null, sent: string | null | undefined, rendering: Rendering) {
  return sent === undefined || (sent || null) === kept ? {} : notesColumns(sent, rendering);
}

/** Renders Markdown notes to sanitised HTML, in worker threads. */
export type NotesRenderer = {
  /** Never rejects: notes that exceed a limit or crash the converter become escaped text in `<p>`. */
  render(accountId: string, markdown: string | null | undefined): Promise<Rendering>;
  /** As `render`; notes that time out again are no longer pending. */
  renderAgain(accountId: string, markdown: string): Promise<Rendering>;
  load(): RenderLoad;
  close(): Promise<void>;
};

export type NotesRendererOptions = {
  /** Concurrent renderings of long notes. One more thread is reserved for short ones. */
  workers: number;
  /** Time limit of one rendering; its thread is then terminated. */
  timeoutMilliseconds: number;
  /** Time limit including the queue; then a write continues with plain text. */
  maxWaitMilliseconds?: number;
  /** Heap limit of one thread. */
  memoryMegabytes?: number;
  observer?: RenderObserver;
};

/** `html`, or the reason for plain text; `not_taken`: no thread was free in time. */
type RenderOutcome = 'html' | 'too_demanding' | 'over_budget' | 'crashed' | 'not_taken';

export type RenderObserver = {
  /** `milliseconds`: including the queue. */
  renderingEnded(outcome: RenderOutcome, milliseconds: number): void;
};

export type RenderLoad = { queued: number; busyThreads: number; idleThreads: number };

const maxShortLength = 2_000;

/**
 * Renders one note per account at a time, so that an account's slow notes do not delay others. Long notes
 * never occupy the last thread. Threads start with the first notes.
 */
export function createNotesRenderer(options: NotesRendererOptions): NotesRenderer {
  const {
    workers,
    timeoutMilliseconds,
    maxWaitMilliseconds = 12_000,
    memoryMegabytes = 192,
    observer,
  } = options;
  const queueOf = createQueuePerKey();
  const longNotes = new PQueue({ concurrency: workers });
  const closing = new AbortController();
  const pool = new Piscina<RenderingTask, string | undefined>({
    filename: new URL('./render-worker.ts', import.meta.url).href,
    name: 'renderNotes',
    minThreads: 0,
    maxThreads: workers + 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 12 },
    // Otherwise an idle thread blocks its event loop, and jsdom releases no memory.
    atomics: 'disabled',
    // Lower priority than requests.
    niceIncrement: 3,
  });
  // An exited idle thread is replaced on demand.
  pool.on('error', () => {});
  const startListeners = new Map<number, () => void>();
  pool.on('message', (taskId: number) => startListeners.get(taskId)?.());
  let lastTaskId = 0;

  /** The time limit starts in the thread: starting a thread takes most of a second. */
  async function runInThread(markdown: string, stop: AbortController, signal: AbortSignal) {
    const id = ++lastTaskId;
    let timer: NodeJS.Timeout | undefined;
    startListeners.set(id, () => {
      timer = setTimeout(() => stop.abort('over_budget'), timeoutMilliseconds);
    });
    try {
      return await pool.run({ id, markdown }, { signal });
    } finally {
      startListeners.delete(id);
      clearTimeout(timer);
    }
  }

  async function renderWithinLimits(accountId: string, markdown: string) {
    const stop = new AbortController();
    const patience = setTimeout(() => stop.abort('not_taken'), maxWaitMilliseconds);
    const signal = AbortSignal.any([stop.signal, closing.signal]);
    const run = () => runInThread(markdown, stop, signal);
    const runInTurn = markdown.length > maxShortLength ? () => longNotes.add(run, { signal }) : run;
    try {
      const html = await queueOf(accountId).add(runInTurn, { signal });
      return { html, outcome: html === undefined ? 'too_demanding' : 'html' } as const;
    } catch {
      const outcome: RenderOutcome = signal.aborted ? signal.reason : 'crashed';
      return { outcome };
    } finally {
      clearTimeout(patience);
    }
  }

  async function render(accountId: string, markdown: string, pending: readonly RenderOutcome[]) {
    const begin = performance.now();
    const { html, outcome } = await renderWithinLimits(accountId, markdown);
    observer?.renderingEnded(outcome, performance.now() - begin);
    if (html !== undefined) return { html, version: notesRendererVersion };
    const version = pending.includes(outcome) ? pendingVersion : fallbackVersion;
    return { html: escapedParagraph(markdown), version };
  }

  return {
    async render(accountId, markdown) {
      if (!markdown) return { html: '', version: notesRendererVersion };
      return await render(accountId, markdown, ['not_taken', 'over_budget']);
    },
    renderAgain: (accountId, markdown) => render(accountId, markdown, ['not_taken']),
    load: () => ({
      queued: longNotes.size + pool.queueSize,
      busyThreads: pool.threads.length - pool.idleThreads,
      idleThreads: pool.idleThreads,
    }),
    async close() {
      closing.abort('not_taken');
      await pool.destroy();
    },
  };
}

export function escapedParagraph(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replace(/\r\n?|\n/g, '<br>\n')}</p>`;
}
