import type { Screen } from '#shared/app/app-screens.ts';
import { Icon, iconOf } from '../components/icon.tsx';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf, location, type Route } from '../router.ts';
import { screenWords as words } from '../words/screen-words.ts';

/** Navigation on phones. */
export function TabBar() {
  const present = location.value.route.screen;
  const tab = (screen: Screen) => (
    <a
      href={hrefOf({ screen })}
      onClick={(event) => screen === present && toTop(event)}
      aria-current={screen === present ? 'page' : screen === tabOf(present) || undefined}
    >
      <Icon name={iconOf(screen)} />
      {words[screen]}
    </a>
  );
  return (
    <nav class="tabbar" aria-label={words.lists}>
      {tab('today')}
      {tab('upcoming')}
      <button
        type="button"
        class="plus"
        aria-label={words.add}
        onClick={() => openOverlay({ kind: 'quick-add' })}
      >
        <Icon name="plus" />
      </button>
      {tab('inbox')}
      {tab('lists')}
    </nav>
  );
}

/** Scrolls to the top if the screen is open already. */
function toTop(event: Event): void {
  event.preventDefault();
  document.querySelector('.page')?.scrollTo(0, 0);
}

/** Other screens belong to the tab of the lists. */
function tabOf(screen: Route['screen']): Screen {
  return screen === 'today' || screen === 'upcoming' || screen === 'inbox' ? screen : 'lists';
}
