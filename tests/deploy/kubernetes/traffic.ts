import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { ofKind, type Rendering } from './manifest.ts';
import { selects } from './workload.ts';

type PolicySpec = NonNullable<INetworkPolicy['spec']>;
type Selector = NonNullable<PolicySpec['podSelector']>;
type Peer = NonNullable<NonNullable<PolicySpec['egress']>[number]['to']>[number];
type Ports = NonNullable<PolicySpec['egress']>[number]['ports'];

type Labels = Readonly<Record<string, string>>;

export function policiesFor(rendering: Rendering, labels: Labels): PolicySpec[] {
  return ofKind(rendering, 'NetworkPolicy').flatMap(({ spec }) =>
    spec?.podSelector && chooses(spec.podSelector, labels) ? [spec] : [],
  );
}

/** An empty selector chooses every pod. */
export function chooses({ matchLabels, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const byExpression = matchExpressions.every(
    ({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''),
  );
  return byExpression && (matchLabels === undefined || selects(matchLabels, labels));
}

/** Whither pods may go, as `peer port/protocol`, sorted. */
export function egressOf(rendering: Rendering, labels: Labels): string[] {
  const rules = policiesFor(rendering, labels).flatMap(({ egress = [] }) => egress);
  return [...new Set(rules.flatMap(({ to, ports }) => connections(to, ports)))].toSorted();
}

/** Whence pods may be reached, likewise. */
export function ingressOf(rendering: Rendering, labels: Labels): string[] {
  const rules = policiesFor(rendering, labels).flatMap(({ ingress = [] }) => ingress);
  return [...new Set(rules.flatMap(({ from, ports }) => connections(from, ports)))].toSorted();
}

/** Without peers a rule is for all of them, without ports for each. */
function connections(peers: readonly Peer[] | undefined, ports: Ports): string[] {
  const names = peers?.flatMap(peerNames) ?? ['anybody'];
  const doors = ports?.map(({ port, protocol }) => `${port}/${protocol}`) ?? ['any port'];
  return names.flatMap((name) => doors.map((door) => `${name} ${door}`));
}

function peerNames({ ipBlock, namespaceSelector, podSelector }: Peer): string[] {
  if (ipBlock !== undefined) return [ipBlock.cidr];
  const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  const pods = [
    ...Object.values(podSelector?.matchLabels ?? {}),
    ...(podSelector?.matchExpressions ?? []).flatMap(({ values = [] }) => values),
  ];
  const prefix = namespace === undefined ? '' : `${namespace}:`;
  return pods.length === 0 ? [`${prefix}*`] : pods.map((pod) => `${prefix}${pod}`);
}
