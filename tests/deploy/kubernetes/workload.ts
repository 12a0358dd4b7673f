import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { type Manifest, nameOf, ofKind, type Rendering } from './manifest.ts';

export const serviceNames = ['auth-server', 'resource-api'] as const;

/** Whatever has pods, with the one container that each of them has. */
export type Workload = {
  place: string;
  name: string;
  /** Of its pods. */
  labels: Readonly<Record<string, string>>;
  pod: IPodSpec;
  container: IContainer;
};

export function workloadsOf(rendering: Rendering): Workload[] {
  const owners = [
    ...ofKind(rendering, 'Deployment'),
    ...ofKind(rendering, 'StatefulSet'),
    ...ofKind(rendering, 'Job'),
  ];
  return owners.map((owner) => workloadOf(rendering, owner));
}

export function servicesOf(rendering: Rendering): Workload[] {
  return workloadsOf(rendering).filter(({ name }) => serviceNames.some((service) => service === name));
}

export function migrationOf(rendering: Rendering): Workload {
  const [migration, ...others] = workloadsOf(rendering).filter(
    ({ container }) => container.name === 'migration',
  );
  if (migration === undefined || others.length > 0)
    throw new Error(`${rendering.name} has not one migration`);
  return migration;
}

type Owner = Manifest & {
  spec?: { template: { metadata?: { labels?: Record<string, string> }; spec?: IPodSpec } };
};

function workloadOf(rendering: Rendering, owner: Owner): Workload {
  const { metadata, spec: pod } = owner.spec?.template ?? {};
  const [container, ...others] = pod?.containers ?? [];
  const place = nameOf(rendering, owner);
  if (pod === undefined || container === undefined || others.length > 0) {
    throw new Error(`${place} should have pods of one container`);
  }
  return { place, name: owner.metadata.name, labels: metadata?.labels ?? {}, pod, container };
}

/** The places of those that are not as they should be. */
export function except(workloads: readonly Workload[], isRight: (workload: Workload) => boolean): string[] {
  return workloads.filter((workload) => !isRight(workload)).map(({ place }) => place);
}

export function selects(
  selector: Readonly<Record<string, string>> | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(selector ?? {});
  return wanted.length > 0 && wanted.every(([label, value]) => labels[label] === value);
}
