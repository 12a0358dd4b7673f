import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { INamespace } from 'kubernetes-models/v1/Namespace';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type {
  BackendTrafficPolicy,
  ClientTrafficPolicy,
  Cluster,
  ExternalSecret,
  Gateway,
  HttpRoute,
  ObjectStore,
  PrometheusRule,
  ScheduledBackup,
  ServiceMonitor,
} from './custom-resource.ts';

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Readonly<Record<string, string>>;
    annotations?: Readonly<Record<string, string>>;
  };
};

type Kinds = {
  BackendTrafficPolicy: BackendTrafficPolicy;
  ClientTrafficPolicy: ClientTrafficPolicy;
  Cluster: Cluster;
  ConfigMap: IConfigMap;
  Deployment: IDeployment;
  ExternalSecret: ExternalSecret;
  Gateway: Gateway;
  HTTPRoute: HttpRoute;
  HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  Ingress: IIngress;
  Job: IJob;
  Namespace: INamespace;
  NetworkPolicy: INetworkPolicy;
  ObjectStore: ObjectStore;
  PodDisruptionBudget: IPodDisruptionBudget;
  PrometheusRule: PrometheusRule;
  ScheduledBackup: ScheduledBackup;
  Service: IService;
  ServiceAccount: IServiceAccount;
  ServiceMonitor: ServiceMonitor;
  StatefulSet: IStatefulSet;
};

/** What one kustomization renders to. */
export type Rendering = { name: string; objects: readonly Manifest[] };

/** The objects of a kind, as their schemas describe them: another test holds them against those. */
export function ofKind<Kind extends keyof Kinds>(
  { objects }: Rendering,
  kind: Kind,
): (Kinds[Kind] & Manifest)[] {
  return objects.filter((object): object is Kinds[Kind] & Manifest => object.kind === kind);
}

/** Throws when there is none, or more than one. */
export function theOne<Kind extends keyof Kinds>(
  rendering: Rendering,
  kind: Kind,
  name: string,
): Kinds[Kind] & Manifest {
  const [found, ...others] = ofKind(rendering, kind).filter(({ metadata }) => metadata.name === name);
  if (found === undefined || others.length > 0) {
    throw new Error(`${rendering.name} should have one ${kind} ${name}`);
  }
  return found;
}

/** How a fault names its object. */
export function nameOf(rendering: Rendering, { kind, metadata }: Manifest): string {
  return `${rendering.name}: ${kind} ${metadata.name}`;
}
