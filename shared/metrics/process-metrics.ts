import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How often the event loop's delay is sampled; a sample holds this pause beside the delay. */
const samplingMilliseconds = 20;

/**
 * Processor, memory, event loop, garbage collection and open handles of this process. Not prom-client's own: it keeps
 * its observers for ever, and shows the sampling pause as delay. Returns how to end the observation.
 */
export function showProcess(registry: Registry): () => void {
  showResources(registry);
  const endings = [showEventLoop(registry), showGarbageCollection(registry)];
  return () => {
    for (const end of endings) end();
  };
}

function showResources(registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, its threads included.',
    labelNames: ['mode'],
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc({ mode: 'user' }, user / 1e6);
      this.inc({ mode: 'system' }, system / 1e6);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, in seconds since 1970.',
    registers,
  }).set(Math.round(performance.timeOrigin / 1_000));
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory held, threads included.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'nodejs_heap_bytes',
    help: 'V8’s heap of the main thread, and the buffers outside of it.',
    labelNames: ['kind'],
    registers,
    collect() {
      const { heapTotal, heapUsed, external } = process.memoryUsage();
      this.set({ kind: 'total' }, heapTotal);
      this.set({ kind: 'used' }, heapUsed);
      this.set({ kind: 'external' }, external);
    },
  });
  new Gauge({
    name: 'nodejs_active_resources',
    help: 'What keeps the event loop busy, by type; TCPSocketWrap are open sockets.',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const type of process.getActiveResourcesInfo()) this.inc({ type });
    },
  });
}

function showEventLoop(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: samplingMilliseconds });
  delays.enable();
  const seconds = (nanoseconds: number): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - samplingMilliseconds / 1e3);
  new Gauge({
    name: 'nodejs_event_loop_delay_seconds',
    help: 'By how much the event loop was late since the metrics were read before.',
    // Not `quantile`: that label is reserved for summaries (Prometheus, exposition formats).
    labelNames: ['percentile'],
    registers: [registry],
    collect() {
      this.set({ percentile: '50' }, seconds(delays.percentile(50)));
      this.set({ percentile: '99' }, seconds(delays.percentile(99)));
      this.set({ percentile: '100' }, seconds(delays.max));
      delays.reset();
    },
  });
  return () => void delays.disable();
}

const collections: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak_callbacks',
};

function showGarbageCollection(registry: Registry): () => void {
  const duration = new Histogram({
    name: 'nodejs_garbage_collection_seconds',
    help: 'Pauses of the main thread for garbage collection.',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1],
    registers: [registry],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail;
      duration.observe({ kind: collections[kind] ?? 'other' }, entry.duration / 1_000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
