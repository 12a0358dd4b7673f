import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RenderLoad, RenderObserver } from '../notes/notes-renderer.ts';

export function observeRenderings(registry: Registry): RenderObserver {
  const registers = [registry];
  const renderings = new Counter({
    name: 'notes_renderings_total',
    help: 'Renderings of notes: html, or why they are shown as plain text.',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'notes_rendering_duration_seconds',
    help: 'From the request for a rendering to its outcome, waiting included.',
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
export function showRenderLoad(registry: Registry, load: () => RenderLoad): void {
  const registers = [registry];
  new Gauge({
    name: 'notes_renderings_queued',
    help: 'Renderings that wait for a thread.',
    registers,
    collect() {
      this.set(load().queued);
    },
  });
  new Gauge({
    name: 'notes_rendering_threads',
    help: 'Threads that render notes, idle or at work.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busyThreads, idleThreads } = load();
      this.set({ state: 'busy' }, busyThreads);
      this.set({ state: 'idle' }, idleThreads);
    },
  });
}
