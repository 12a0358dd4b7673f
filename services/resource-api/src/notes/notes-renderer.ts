import { escapedParagraph, renderPlainText } from './plain-text.ts';
import type { RenderLoad, RenderObserver } from './render-observer.ts';
import { createRenderPool } from './render-pool.ts';

/** Renders Markdown notes to sanitised HTML away from the main thread. */
export type NotesRenderer = {
  /** '' for null or ''. Never rejects for bad input: over budget or crashing input is rendered as escaped text in <p>…</p>. */
  render(markdown: string | null | undefined): Promise<string>;
  load(): RenderLoad;
  close(): Promise<void>;
};

export type NotesRendererOptions = {
  /** Long notes rendered at the same time. One worker more is kept for short ones. */
  workers: number;
  /** Processor time one rendering may use before its notes are shown as plain text. */
  timeoutMilliseconds: number;
  /** Renderings that may wait. One too many, and the longest of all is shown as plain text. */
  maxQueued?: number;
  /** Time by the clock after which notes are shown as plain text, whether they still wait or are being rendered. */
  maxWaitMilliseconds?: number;
  /** Heap of one worker. */
  memoryMegabytes?: number;
  observer?: RenderObserver;
};

const defaultMaxQueued = 256;
/** Nobody's write waits longer for others' notes, or for its own. On a busy machine a thread needs seconds to start. */
const defaultMaxWaitMilliseconds = 12_000;
/** What dense notes of the greatest length need, a table of 10,000 cells among them. */
const defaultMemoryMegabytes = 192;

/**
 * A write never fails for its notes: what cannot be rendered
 * within the limits, or not now, is shown as plain text, and the Markdown itself is not touched.
 */
export function createNotesRenderer(options: NotesRendererOptions): NotesRenderer {
  const pool = createRenderPool({
    maxQueued: defaultMaxQueued,
    maxWaitMilliseconds: defaultMaxWaitMilliseconds,
    memoryMegabytes: defaultMemoryMegabytes,
    ...options,
  });

  return {
    async render(markdown) {
      if (!markdown) return '';
      return renderPlainText(markdown) ?? (await pool.run(markdown)) ?? escapedParagraph(markdown);
    },
    load: () => pool.load(),
    close: () => pool.close(),
  };
}
