import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../components/icon.tsx';
import { hrefOf, location, type Route } from '../router.ts';

type NavItemProps = {
  route: Route;
  icon: IconName;
  label: string;
  count?: number;
  late?: { count: number; label: string };
  children?: ComponentChildren;
};

/** A link to a screen, with the number of its open tasks. */
export function NavItem({ route, icon, label, count = 0, late, children }: NavItemProps) {
  return (
    <li data-drop={'id' in route ? undefined : route.screen}>
      <a href={hrefOf(route)} aria-current={isPresent(route) ? 'page' : undefined}>
        <Icon name={icon} />
        <span class="cut">{label}</span>
        {late !== undefined && late.count > 0 && (
          <span class="n late" title={late.label}>
            {late.count}
            <span class="vh"> {late.label.replace(/^\d+ /, '')}</span>
          </span>
        )}
        {count > 0 && <span class="n">{count}</span>}
        {children}
      </a>
    </li>
  );
}

export function isPresent(route: Route): boolean {
  const present = location.value.route;
  if (present.screen !== route.screen) return false;
  return !('id' in route) || ('id' in present && present.id === route.id);
}
