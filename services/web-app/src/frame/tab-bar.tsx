import { Icon, type IconName } from '../components/icon.tsx';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf, type Screen } from '../router.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { isPresent } from './nav-item.tsx';

/** The ways to get around on a phone. */
export function TabBar() {
  const tab = (screen: Screen, icon: IconName, label: string) => (
    <a href={hrefOf({ screen })} aria-current={isPresent({ screen }) ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </a>
  );
  return (
    <nav class="tabbar" aria-label={words.lists}>
      {tab('today', 'today', words.today)}
      {tab('upcoming', 'upcoming', words.upcoming)}
      <button
        type="button"
        class="plus"
        aria-label={words.add}
        onClick={() => openOverlay({ kind: 'quick-add', text: '', list: null })}
      >
        <Icon name="plus" />
      </button>
      {tab('inbox', 'inbox', words.inbox)}
      {tab('lists', 'list', words.lists)}
    </nav>
  );
}
