import type { SchemaObject } from 'ajv';

/*
 * Schemas of custom resources, written for the fields that are used here: what is not in them is refused, although the
 * real resource may know it. The names are those of CloudNativePG 1.30, its Barman Cloud plugin, Gateway API v1,
 * Envoy Gateway 1, the Prometheus operator 0.93 and External Secrets 2.9.
 */
const text = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text, minItems: 1 } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const flag = { type: 'boolean' } as const;
const texted = { type: 'object', additionalProperties: { type: 'string' } } as const;
const oneOf = (...values: string[]): SchemaObject => ({ enum: values });
const list = (items: SchemaObject): SchemaObject => ({ type: 'array', items, minItems: 1 });

/** An object that has the required fields, may have the optional ones and no other. */
function record(
  required: Record<string, SchemaObject>,
  optional: Record<string, SchemaObject> = {},
): SchemaObject {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

const named = record({ name: text });
const secretKey = record({ name: text, key: text });

function resource(apiVersion: string, kind: string, spec: SchemaObject): [string, SchemaObject] {
  const metadata = record({ name: text }, { namespace: text, labels: texted, annotations: texted });
  const schema = record({ apiVersion: { const: apiVersion }, kind: { const: kind }, metadata, spec });
  return [`${apiVersion}/${kind}`, schema];
}

const listener = record(
  { name: text, protocol: oneOf('HTTP', 'HTTPS'), port: whole },
  {
    hostname: text,
    allowedRoutes: record({ namespaces: record({ from: oneOf('Same', 'All', 'Selector') }) }),
    tls: record({ mode: oneOf('Terminate', 'Passthrough'), certificateRefs: list(named) }),
  },
);

const routeRule = record(
  {},
  {
    name: text,
    matches: list(record({ path: record({ type: oneOf('Exact', 'PathPrefix'), value: text }) })),
    backendRefs: list(record({ name: text, port: whole })),
    filters: list(
      record({
        type: oneOf('RequestRedirect'),
        requestRedirect: record({ scheme: oneOf('https'), statusCode: { enum: [301, 302, 303, 307, 308] } }),
      }),
    ),
  },
);

const httpRoute = record(
  {
    parentRefs: list(record({ name: text }, { namespace: text, sectionName: text })),
    rules: list(routeRule),
  },
  { hostnames: texts },
);

const trafficPolicy = record({
  targetRefs: list(record({ group: text, kind: text, name: text })),
  retry: record({
    numRetries: whole,
    retryOn: record({
      triggers: list(oneOf('connect-failure', 'reset-before-request', 'retriable-status-codes')),
    }),
  }),
  timeout: record({
    tcp: record({ connectTimeout: text }),
    http: record({ connectionIdleTimeout: text, requestTimeout: text }),
  }),
});

const clientTrafficPolicy = record({
  targetRefs: list(record({ group: text, kind: oneOf('Gateway'), name: text })),
  path: record({
    escapedSlashesAction: oneOf(
      'KeepUnchanged',
      'RejectRequest',
      'UnescapeAndForward',
      'UnescapeAndRedirect',
    ),
    disableMergeSlashes: flag,
  }),
});

const role = record(
  { name: text },
  { ensure: oneOf('present', 'absent'), login: flag, inRoles: texts, passwordSecret: named },
);

const cluster = record({
  instances: whole,
  imageName: text,
  postgresql: record({
    parameters: texted,
    synchronous: record({
      method: oneOf('any', 'first'),
      number: whole,
      dataDurability: oneOf('required', 'preferred'),
      failoverQuorum: flag,
    }),
  }),
  primaryUpdateStrategy: oneOf('unsupervised', 'supervised'),
  primaryUpdateMethod: oneOf('switchover', 'restart'),
  bootstrap: record({
    initdb: record({ database: text, owner: text, secret: named, dataChecksums: flag }),
  }),
  managed: record({ roles: list(role) }),
  storage: record({ size: text }),
  walStorage: record({ size: text }),
  resources: record({ requests: texted, limits: texted }),
  affinity: record({
    enablePodAntiAffinity: flag,
    podAntiAffinityType: oneOf('preferred', 'required'),
    topologyKey: text,
  }),
  plugins: list(record({ name: text, isWALArchiver: flag, parameters: texted })),
});

const objectStore = record({
  retentionPolicy: { type: 'string', pattern: '^[1-9][0-9]*[dwm]$' },
  configuration: record({
    destinationPath: text,
    s3Credentials: record({ accessKeyId: secretKey, secretAccessKey: secretKey }),
    wal: record({ compression: oneOf('bzip2', 'gzip', 'lz4', 'snappy', 'xz', 'zstd'), maxParallel: whole }),
    data: record({ compression: oneOf('bzip2', 'gzip', 'lz4', 'snappy') }),
  }),
});

const scheduledBackup = record({
  cluster: named,
  // Six fields: seconds first.
  schedule: { type: 'string', pattern: '^\\S+( \\S+){5}$' },
  immediate: flag,
  target: oneOf('primary', 'prefer-standby'),
  backupOwnerReference: oneOf('none', 'self', 'cluster'),
  method: oneOf('plugin'),
  pluginConfiguration: named,
});

const serviceMonitor = record({
  selector: record({ matchLabels: texted }),
  jobLabel: text,
  endpoints: list(record({ port: text, path: text, interval: text, scrapeTimeout: text })),
});

const rule = record(
  { expr: text },
  { record: text, alert: text, for: text, labels: texted, annotations: texted },
);
const ruleGroup = record({ name: text, rules: list(rule) }, { interval: text, labels: texted, limit: whole });

const externalSecret = record({
  refreshInterval: text,
  secretStoreRef: record({ kind: oneOf('SecretStore', 'ClusterSecretStore'), name: text }),
  target: record(
    { name: text, creationPolicy: oneOf('Owner'), deletionPolicy: oneOf('Retain') },
    { template: record({ data: texted }, { type: text, metadata: record({ labels: texted }) }) },
  ),
  data: list(record({ secretKey: text, remoteRef: record({ key: text, property: text }) })),
});

/** By `apiVersion/kind`. */
export const customResourceSchemas: Readonly<Record<string, SchemaObject>> = Object.fromEntries([
  resource(
    'gateway.networking.k8s.io/v1',
    'Gateway',
    record({ gatewayClassName: text, listeners: list(listener) }),
  ),
  resource('gateway.networking.k8s.io/v1', 'HTTPRoute', httpRoute),
  resource('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', trafficPolicy),
  resource('gateway.envoyproxy.io/v1alpha1', 'ClientTrafficPolicy', clientTrafficPolicy),
  resource('postgresql.cnpg.io/v1', 'Cluster', cluster),
  resource('postgresql.cnpg.io/v1', 'ScheduledBackup', scheduledBackup),
  resource('barmancloud.cnpg.io/v1', 'ObjectStore', objectStore),
  resource('monitoring.coreos.com/v1', 'ServiceMonitor', serviceMonitor),
  resource(
    'monitoring.coreos.com/v1',
    'PrometheusRule',
    record({ groups: { type: 'array', items: ruleGroup } }),
  ),
  resource('external-secrets.io/v1', 'ExternalSecret', externalSecret),
]);
