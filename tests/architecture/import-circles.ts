import type { Import } from './read-imports.ts';

/** Circles of imports that are made while files load, each once, as `a → b → a`. */
export function importCircles(imports: readonly Import[]): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, to, isTypeOnly, isDynamic } of imports) {
    if (!isTypeOnly && !isDynamic) graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  const circles: string[] = [];
  const finished = new Set<string>();

  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) circles.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || finished.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}
