import type { Screen } from '#shared/app/app-screens.ts';
import { Icon, iconOf } from '../components/icon.tsx';
import { hrefOf, location, type Route } from '../router.ts';
import { listWords } from '../words/list-words.ts';
import { screenWords as words } from '../words/screen-words.ts';

type NavItemProps = { screen: Screen; count?: number; late?: number; hasNews?: boolean };

export function NavItem({ screen, count = 0, late = 0, hasNews }: NavItemProps) {
  const route = { screen };
  return (
    <li data-drop={screen}>
      <a href={hrefOf(route)} aria-current={isPresent(route) ? 'page' : undefined}>
        <Icon name={iconOf(screen)} />
        <span class="cut">{words[screen]}</span>
        {late > 0 && (
          <span class="n late" title={`${late} ${listWords.late}`}>
            {late}
            <span class="vh"> {listWords.late}</span>
          </span>
        )}
        {count > 0 && <span class="n">{count}</span>}
        {hasNews && (
          <span class="n dot">
            <span class="vh"> {words.news}</span>
          </span>
        )}
      </a>
    </li>
  );
}

export function isPresent(route: Route): boolean {
  const present = location.value.route;
  if (present.screen !== route.screen) return false;
  return !('id' in route) || ('id' in present && present.id === route.id);
}
