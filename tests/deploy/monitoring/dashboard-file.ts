import { readProjectFiles } from '#tests/architecture/source-files.ts';

export type GridPosition = { h: number; w: number; x: number; y: number };
export type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: GridPosition;
  datasource?: { type: string; uid: string };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { refId: string; expr: string; legendFormat: string }[];
};
export type Dashboard = {
  uid: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; definition?: string }[] };
};

export function readDashboard(): Dashboard {
  const [file] = readProjectFiles(/^deploy\/monitoring\/dashboard\.json$/);
  return JSON.parse(file?.text ?? '');
}

/** What Grafana asks Prometheus, as it is with every variable set to «All». */
export function expressionsOf({
  panels,
}: Dashboard): { title: string; expression: string; legend: string }[] {
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      title,
      expression: expr
        .replaceAll('$__rate_interval', '5m')
        .replaceAll('$job', 'auth-server|resource-api')
        .replaceAll(/\$(namespace|instance)/g, '.*'),
      legend: legendFormat,
    })),
  );
}

/** Pairs of panels that lie on one another, by their titles. */
export function overlaps(panels: readonly Pick<Panel, 'title' | 'gridPos'>[]): string[] {
  return panels.flatMap((panel, index) =>
    panels
      .slice(index + 1)
      .filter((other) => meet(panel.gridPos, other.gridPos))
      .map((other) => `${panel.title} and ${other.title}`),
  );
}

function meet(left: GridPosition, right: GridPosition): boolean {
  const besides = left.x + left.w <= right.x || right.x + right.w <= left.x;
  const above = left.y + left.h <= right.y || right.y + right.h <= left.y;
  return !besides && !above;
}
