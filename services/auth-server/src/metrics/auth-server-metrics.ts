import { observeKeys } from '#shared/metrics/key-metrics.ts';
import { createServiceMetrics, type ServiceMetrics } from '#shared/metrics/service-metrics.ts';
import type { KeyObserver } from '#shared/tokens/key-observer.ts';
import { type AuditMetrics, countAuditEvents } from './audit-metrics.ts';
import { type CountIssuedToken, countIssuedTokens } from './token-metrics.ts';

export type AuthServerMetrics = ServiceMetrics &
  AuditMetrics & {
    keys: KeyObserver;
    countIssuedToken: CountIssuedToken;
  };

/** Everything this service counts and times. */
export function createAuthServerMetrics(): AuthServerMetrics {
  const service = createServiceMetrics();
  const { registry } = service;
  return {
    ...service,
    keys: observeKeys(registry, 'signing'),
    ...countAuditEvents(registry),
    countIssuedToken: countIssuedTokens(registry),
  };
}
