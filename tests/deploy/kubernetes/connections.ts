import { environmentOf } from './environment.ts';
import { ofKind, type Rendering, theOne } from './manifest.ts';
import { servicesOf, type Workload } from './workload.ts';

/** A migration opens five; another may be repeating what the one before left. */
const migrationConnections = 10;
/** PostgreSQL keeps three for superusers; its operator and a person who looks have some too. */
const administrationConnections = 10;

/** The connections that a rendering can have open at one time: in a rolling update of both services, at their most. */
export function connectionsAtMost(rendering: Rendering): number {
  const ofServices = servicesOf(rendering).map(
    (workload) =>
      replicasAtMost(rendering, workload) * Number(environmentOf(rendering, workload).DATABASE_POOL_SIZE),
  );
  const sum = ofServices.reduce((total, connections) => total + connections, 0);
  return sum + migrationConnections + administrationConnections;
}

/**
 * All replicas, those that an update adds, and those that still drain while it goes on to the next: a new pod counts
 * after `minReadySeconds`, an old one may stay for the whole of its grace period.
 */
function replicasAtMost(rendering: Rendering, { name, pod }: Workload): number {
  const { spec } = theOne(rendering, 'Deployment', name);
  const [scaler] = ofKind(rendering, 'HorizontalPodAutoscaler').filter(
    ({ metadata }) => metadata.name === name,
  );
  const most = scaler?.spec?.maxReplicas ?? spec?.replicas ?? 1;
  const draining = Math.ceil((pod.terminationGracePeriodSeconds ?? 30) / (spec?.minReadySeconds || 1));
  return most + Number(spec?.strategy?.rollingUpdate?.maxSurge) + draining;
}
