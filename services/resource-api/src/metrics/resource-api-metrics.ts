import { observeKeys } from '#shared/metrics/key-metrics.ts';
import { createServiceMetrics, type ServiceMetrics } from '#shared/metrics/service-metrics.ts';
import type { KeyObserver } from '#shared/tokens/key-observer.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import type { RenderLoad, RenderObserver } from '../notes/notes-renderer.ts';
import type { WriteObserver } from '../session.ts';
import { countAuthentications } from './authentication-metrics.ts';
import { observeRenderings, showRenderLoad } from './notes-metrics.ts';
import { type CountToolCall, countToolCalls } from './tool-metrics.ts';
import { observeWrites } from './write-metrics.ts';

export type ResourceApiMetrics = ServiceMetrics & {
  keys: KeyObserver;
  renderings: RenderObserver;
  writes: WriteObserver & { replayed(): void };
  countToolCall: CountToolCall;
  countAuthentications(authenticate: Authenticator): Authenticator;
  showRenderLoad(load: () => RenderLoad): void;
};

/** Everything this service counts and times. */
export function createResourceApiMetrics(): ResourceApiMetrics {
  const service = createServiceMetrics();
  const { registry } = service;
  return {
    ...service,
    keys: observeKeys(registry, 'verification'),
    renderings: observeRenderings(registry),
    writes: observeWrites(registry),
    countToolCall: countToolCalls(registry),
    countAuthentications: (authenticate) => countAuthentications(registry, authenticate),
    showRenderLoad: (load) => showRenderLoad(registry, load),
  };
}
