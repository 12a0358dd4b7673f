import pg from 'pg';

/** A statement that PostgreSQL has run, one inside a function or of a foreign key's check included. */
export type ExecutedPlan = {
  statement: string;
  /** The relations that it was ready to read or change when it began, and those of them that it did. */
  planned: readonly string[];
  used: readonly string[];
};

/** Every plan of a statement that this process has had run since the last `take`, in the order in which they ended. */
export type PlanRecord = { take(): ExecutedPlan[] };

/**
 * Under these settings PostgreSQL tells a client of each plan that it has run for it. Partitions that the values ruled
 * out when the statement was planned, or when it began, are not in it; those ruled out later were never executed.
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

/** Listens at the driver, to the connections that are made from here on. */
export function recordPlans(): PlanRecord {
  let plans: ExecutedPlan[] = [];
  const connect = pg.Client.prototype.connect;
  pg.Client.prototype.connect = new Proxy(connect, {
    apply(open, client: pg.Client, parameters) {
      client.on('notice', ({ message }) => {
        const plan = readPlan(message ?? '');
        if (plan !== undefined) plans.push(plan);
      });
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
function readPlan(message: string): ExecutedPlan | undefined {
  const [, json] = /^duration: \S+ ms {2}plan:\n(.*)$/s.exec(message) ?? [];
  if (json === undefined) return undefined;
  const { 'Query Text': statement, Plan: root } = JSON.parse(json) as { 'Query Text': string; Plan: unknown };
  const nodes = nodesOf(root).filter((node) => node['Relation Name'] !== undefined);
  const names = (some: readonly PlanNode[]) => [
    ...new Set(some.map((node) => String(node['Relation Name']))),
  ];
  return {
    statement,
    planned: names(nodes),
    used: names(nodes.filter((node) => Number(node['Actual Loops']) > 0)),
  };
}

type PlanNode = Readonly<Record<string, unknown>>;

/** A plan's nodes, and whatever they hold that names a relation, such as the targets of an update. */
function nodesOf(value: unknown): PlanNode[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as PlanNode, ...Object.values(value).flatMap(nodesOf)];
}
