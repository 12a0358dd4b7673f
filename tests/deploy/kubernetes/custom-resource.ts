/** The fields of custom resources that tests look at. */
type SecretKey = { name: string; key: string };

export type HttpRoute = {
  spec: {
    parentRefs: { name: string; sectionName?: string }[];
    hostnames?: string[];
    rules: {
      matches?: { path?: { type: 'Exact' | 'PathPrefix'; value: string } }[];
      backendRefs?: { name: string; port: number }[];
      filters?: { type: string; requestRedirect?: { scheme: string; statusCode: number } }[];
    }[];
  };
};

export type Gateway = {
  spec: {
    listeners: {
      name: string;
      protocol: string;
      port: number;
      hostname?: string;
      tls?: { mode: string; certificateRefs: { name: string }[] };
    }[];
  };
};

export type BackendTrafficPolicy = {
  spec: {
    targetRefs: { group: string; kind: string; name: string }[];
    retry: { numRetries: number; retryOn: { triggers: string[] } };
    timeout: { http: { connectionIdleTimeout: string; requestTimeout: string } };
  };
};

export type ClientTrafficPolicy = {
  spec: {
    targetRefs: { group: string; kind: string; name: string }[];
    path: { escapedSlashesAction: string; disableMergeSlashes: boolean };
  };
};

export type Cluster = {
  spec: {
    instances: number;
    imageName: string;
    postgresql: {
      parameters: Readonly<Record<string, string>>;
      synchronous: { method: string; number: number; dataDurability: string; failoverQuorum: boolean };
    };
    bootstrap: { initdb: { database: string; owner: string; secret: { name: string } } };
    managed: {
      roles: { name: string; login: boolean; inRoles?: string[]; passwordSecret?: { name: string } }[];
    };
    affinity: { podAntiAffinityType: string };
    plugins: { name: string; isWALArchiver: boolean; parameters: Readonly<Record<string, string>> }[];
  };
};

export type ObjectStore = {
  spec: {
    retentionPolicy: string;
    configuration: { s3Credentials: { accessKeyId: SecretKey; secretAccessKey: SecretKey } };
  };
};

export type ScheduledBackup = {
  spec: {
    schedule: string;
    method: string;
    cluster: { name: string };
    pluginConfiguration: { name: string };
  };
};

export type ServiceMonitor = {
  spec: {
    selector: { matchLabels: Readonly<Record<string, string>> };
    jobLabel: string;
    endpoints: { port: string; path: string }[];
  };
};

export type PrometheusRule = { spec: { groups: unknown[] } };

export type ExternalSecret = {
  spec: {
    target: { name: string; deletionPolicy: string; template?: { data: Readonly<Record<string, string>> } };
    data: { secretKey: string }[];
  };
};
