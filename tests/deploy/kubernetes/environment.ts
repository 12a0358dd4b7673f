import { ofKind, type Rendering } from './manifest.ts';
import type { Workload } from './workload.ts';

/** Secrets hold other values; these are of the right form. */
const sampleSecrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://login:password@postgresql:5432/tasks',
  REDIS_URL: 'redis://:password@valkey:6379',
  KEY_ENCRYPTION_SECRET: 'a sample of at least thirty-two characters',
};

/** The environment that a container starts with. Throws for a ConfigMap that is not there. */
export function environmentOf(rendering: Rendering, { place, container }: Workload): Record<string, string> {
  const fromMaps = (container.envFrom ?? []).flatMap(({ configMapRef }) => {
    const map = ofKind(rendering, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
    if (map === undefined) throw new Error(`${place}: there is no ConfigMap ${configMapRef?.name}`);
    return Object.entries(map.data ?? {});
  });
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => {
    const given = valueFrom?.secretKeyRef === undefined ? value : sampleSecrets[valueFrom.secretKeyRef.key];
    return [name, given ?? ''] as const;
  });
  return Object.fromEntries([...fromMaps, ...own]);
}

/** `name/key` of each Secret that a container's environment or a pod's volume asks for. */
export function secretsOf({ pod, container }: Workload): string[] {
  const ofEnvironment = (container.env ?? []).flatMap(({ valueFrom }) =>
    valueFrom?.secretKeyRef ? [`${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`] : [],
  );
  const ofVolumes = (pod.volumes ?? []).flatMap(({ secret }) =>
    (secret?.items ?? []).map(({ key }) => `${secret?.secretName}/${key}`),
  );
  return [...ofEnvironment, ...ofVolumes];
}
