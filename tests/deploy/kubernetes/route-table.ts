import { ofKind, type Rendering } from './manifest.ts';

/** A path of a gateway; `isExact`: nothing below it. */
export type RoutedPath = { path: string; isExact: boolean; service: string };

/** The paths of the HTTPRoutes that lead to a Service. */
export function gatewayPaths(rendering: Rendering): RoutedPath[] {
  const rules = ofKind(rendering, 'HTTPRoute').flatMap(({ spec }) => spec.rules);
  return rules.flatMap(({ matches = [], backendRefs = [] }) =>
    backendRefs.flatMap(({ name }) =>
      matches.flatMap(({ path }) =>
        path ? [{ path: path.value, isExact: path.type === 'Exact', service: name }] : [],
      ),
    ),
  );
}

export function ingressPaths(rendering: Rendering): RoutedPath[] {
  const rules = ofKind(rendering, 'Ingress').flatMap(({ spec }) => spec?.rules ?? []);
  return rules
    .flatMap(({ http }) => http?.paths ?? [])
    .map(({ path = '/', pathType, backend }) => ({
      path,
      isExact: pathType === 'Exact',
      service: backend.service?.name ?? '',
    }));
}

/**
 * Whole segments, the longest path decides, and of two alike the exact one: Gateway API (HTTPRouteMatch), Ingress
 * (multiple matches).
 */
export function routedTo(paths: readonly RoutedPath[], pathname: string): string | undefined {
  const matching = paths.filter(({ path, isExact }) =>
    isExact ? pathname === path : `${pathname}/`.startsWith(path === '/' ? path : `${path}/`),
  );
  const [first] = matching.toSorted(
    (left, right) => right.path.length - left.path.length || Number(right.isExact) - Number(left.isExact),
  );
  return first?.service;
}
