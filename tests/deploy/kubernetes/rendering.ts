import { spawnSync } from 'node:child_process';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parseAllDocuments } from 'yaml';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';

type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
};
type CustomResource = { spec?: Record<string, unknown> };
type Kinds = {
  ConfigMap: IConfigMap;
  Deployment: IDeployment;
  ExternalSecret: {
    spec: {
      target: { name: string; template?: { data: Record<string, string> } };
      data: { secretKey: string }[];
    };
  };
  HTTPRoute: { spec: { hostnames?: string[]; rules: RouteRule[] } };
  HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  Ingress: IIngress;
  Job: IJob;
  NetworkPolicy: INetworkPolicy;
  Service: IService;
  ServiceAccount: IServiceAccount;
  StatefulSet: IStatefulSet;
};
type RouteRule = { matches?: { path: { type: string; value: string } }[]; backendRefs?: { name: string }[] };
type OfKind<Kind> = Manifest & (Kind extends keyof Kinds ? Kinds[Kind] : CustomResource);

export type Rendering = { name: string; objects: readonly Manifest[] };

/** A pod with its one container. */
export type Workload = { place: string; name: string; pod: IPodSpec; container: IContainer };

/** kubectl 1.27 is the first with kustomize 5. */
const isInstalled = /kustomizeVersion: v([5-9]|\d\d)/.test(
  spawnSync('kubectl', ['version', '--client', '--output', 'yaml'], { encoding: 'utf8' }).stdout ?? '',
);
export const testWithKubectl = testWithProgram('kubectl 1.27', isInstalled);

export const production = render('production', 'deploy/k8s/overlays/production');
export const local = render('local', 'deploy/k8s/overlays/local');
/** The components that the overlays do not use. */
export const alternatives = render('alternatives', 'tests/deploy/kubernetes/alternatives');
export const everyRendering = [production, local, alternatives];

/** Empty where kubectl is missing. */
function render(name: string, folder: string): Rendering {
  if (!isInstalled) return { name, objects: [] };
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  return { name, objects: parseAllDocuments(stdout).map((document): Manifest => document.toJS()) };
}

export function ofKind<Kind extends string>({ objects }: Rendering, kind: Kind): OfKind<Kind>[] {
  return objects.filter((object): object is OfKind<Kind> => object.kind === kind);
}

/** Throws where there is none, or more than one. */
export function theOne<Kind extends string>(rendering: Rendering, kind: Kind, name: string): OfKind<Kind> {
  const [found, ...others] = ofKind(rendering, kind).filter(({ metadata }) => metadata.name === name);
  if (found === undefined || others.length > 0)
    throw new Error(`${rendering.name} has not one ${kind} ${name}`);
  return found;
}

export function workloadsOf(rendering: Rendering): Workload[] {
  const owners = [
    ...ofKind(rendering, 'Deployment'),
    ...ofKind(rendering, 'StatefulSet'),
    ...ofKind(rendering, 'Job'),
  ];
  return owners.map(({ kind, metadata, spec }) => {
    const place = `${rendering.name}: ${kind} ${metadata.name}`;
    const pod = spec?.template.spec;
    const [container, ...others] = pod?.containers ?? [];
    if (pod === undefined || container === undefined || others.length > 0)
      throw new Error(`${place}: one container`);
    return { place, name: container.name, pod, container };
  });
}

export function workloadOf(rendering: Rendering, name: string): Workload {
  const found = workloadsOf(rendering).find((workload) => workload.name === name);
  if (found === undefined) throw new Error(`${rendering.name} has no ${name}`);
  return found;
}

/** The environment of a container; `secrets` has the values of what comes from Secrets. */
export function environmentOf(
  rendering: Rendering,
  { container }: Workload,
  secrets: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }) => theOne(rendering, 'ConfigMap', configMapRef?.name ?? '').data,
  );
  const own = (container.env ?? []).map(({ name, value = '', valueFrom }) => [
    name,
    valueFrom?.secretKeyRef ? (secrets[name] ?? '') : value,
  ]);
  return Object.assign({}, ...maps, Object.fromEntries(own));
}

/** `name/key` of each Secret that a container’s environment or a pod’s volume reads. */
export function secretsOf({ pod, container }: Workload): string[] {
  const variables = (container.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
  const files = (pod.volumes ?? []).flatMap(({ secret }) =>
    (secret?.items ?? []).map(({ key }) => ({ name: secret?.secretName, key })),
  );
  return [...variables, ...files].map(({ name, key }) => `${name}/${key}`);
}
