import pg from 'pg';

/** A statement that PostgreSQL has run, those in functions and of foreign keys included. */
export type ExecutedPlan = {
  statement: string;
  /** The relations that it was ready to read or change when it began. */
  planned: readonly string[];
};

/**
 * Under these settings PostgreSQL sends its client a notice of each plan that it has run. Partitions that the values ruled
 * out when the statement was planned, or when it began, are not in it.
 */
export const planReporting: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Records the plans of all connections that this process makes from here on; `take` returns those since the last call. */
export function recordPlans(): { take(): ExecutedPlan[] } {
  let plans: ExecutedPlan[] = [];
  pg.Client.prototype.connect = new Proxy(pg.Client.prototype.connect, {
    apply(open, client: pg.Client, parameters) {
      client.on('notice', ({ message }) => plans.push(...readPlan(message ?? '')));
      return Reflect.apply(open, client, parameters);
    },
  });
  return {
    take() {
      const taken = plans;
      plans = [];
      return taken;
    },
  };
}

/** `duration: 0.042 ms  plan:` and the plan. */
function readPlan(message: string): ExecutedPlan[] {
  const [, json] = /^duration: \S+ ms {2}plan:\n(.*)$/s.exec(message) ?? [];
  if (json === undefined) return [];
  const { 'Query Text': statement, Plan: root } = JSON.parse(json) as { 'Query Text': string; Plan: unknown };
  const names = nodesOf(root).flatMap((node) => node['Relation Name'] ?? []);
  return [{ statement, planned: [...new Set(names.map(String))] }];
}

/** A plan's nodes, and whatever they hold that names a relation, such as the targets of an update. */
function nodesOf(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(nodesOf)];
}
