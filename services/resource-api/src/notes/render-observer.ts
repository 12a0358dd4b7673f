/** `html`, or why notes are shown as plain text; `not_taken` where no thread was free in time. */
export type RenderOutcome = 'html' | 'too_demanding' | 'over_budget' | 'crashed' | 'not_taken';

/** Told what becomes of renderings; must not throw. */
export type RenderObserver = {
  /** `milliseconds`: from the wish to the outcome, waiting included. */
  renderingEnded(outcome: RenderOutcome, milliseconds: number): void;
};

/** What the rendering threads have to do at the moment. */
export type RenderLoad = { queued: number; busyThreads: number; idleThreads: number };
