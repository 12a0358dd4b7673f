import { Ajv } from 'ajv';
import { customResourceSchemas } from './custom-resource-schemas.ts';
import type { Manifest } from './manifest.ts';
import { watchReads } from './watched-value.ts';

type Fault = { instancePath: string; message?: string; keyword: string; params: unknown };
type Validate = { (data: unknown): boolean; errors?: Fault[] | null };

/** The schemas of Kubernetes’ own kinds, by `apiVersion/kind`. Without a group a kind is of the core. */
const builtInSchemas: Readonly<Record<string, string>> = {
  'apps/v1/Deployment': 'IoK8sApiAppsV1Deployment',
  'apps/v1/StatefulSet': 'IoK8sApiAppsV1StatefulSet',
  'autoscaling/v2/HorizontalPodAutoscaler': 'IoK8sApiAutoscalingV2HorizontalPodAutoscaler',
  'batch/v1/Job': 'IoK8sApiBatchV1Job',
  'networking.k8s.io/v1/Ingress': 'IoK8sApiNetworkingV1Ingress',
  'networking.k8s.io/v1/NetworkPolicy': 'IoK8sApiNetworkingV1NetworkPolicy',
  'policy/v1/PodDisruptionBudget': 'IoK8sApiPolicyV1PodDisruptionBudget',
  'v1/ConfigMap': 'IoK8sApiCoreV1ConfigMap',
  'v1/Namespace': 'IoK8sApiCoreV1Namespace',
  'v1/Service': 'IoK8sApiCoreV1Service',
  'v1/ServiceAccount': 'IoK8sApiCoreV1ServiceAccount',
};

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/**
 * What is wrong with an object: wrong types, missing fields, fields its schema does not know, and fields without a
 * value. Each fault begins with the way to it.
 */
export async function schemaFaults(manifest: Manifest): Promise<string[]> {
  const kind = `${manifest.apiVersion}/${manifest.kind}`;
  const custom = customResourceSchemas[kind];
  const builtIn = builtInSchemas[kind];
  if (custom !== undefined) return faultsOf(ajv.compile(custom), manifest);
  if (builtIn === undefined) return [`there is no schema of ${kind}`];
  const { validate }: { validate: Validate } = await import(`kubernetes-models/_schemas/${builtIn}`);
  const { watched, unread } = watchReads(manifest);
  return [...faultsOf(validate, watched), ...unread().map((place) => `${place} is not known`)];
}

function faultsOf(validate: Validate, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${JSON.stringify(params)}`,
  );
}
