import { Icon } from '../components/icon.tsx';
import { formatKeys } from '../keys/key-map.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { hasNews } from './layout.ts';
import { NavItem } from './nav-item.tsx';
import { ProjectLists } from './project-lists.tsx';

export function Sidebar() {
  const store = useStore();
  const email = store.account.value?.email ?? '';
  return (
    <nav class="side" aria-label={words.lists}>
      <a class="brand" href={hrefOf({ screen: 'today' })}>
        <svg class="mark" viewBox="0 0 24 24" fill="none" aria-hidden="true">
          <path class="ring" d="M20.6 9.2A9.2 9.2 0 1 1 15.7 3.6" stroke-width="2.3" />
          <path class="tick" d="M7.8 11.8l3.6 3.7L20.4 5" stroke-width="2.6" />
        </svg>
        {words.product}
      </a>
      <button type="button" class="find" onClick={() => openOverlay({ kind: 'palette' })}>
        <Icon name="search" small />
        <span class="cut">{words.searchOrDo}</span>
        <kbd>{formatKeys('Mod+k')}</kbd>
      </button>
      <Views />
      <div class="rest">
        <ProjectLists place="side" />
      </div>
      <div class="foot">
        <Records />
        <div class="who">
          <span class="av" aria-hidden="true">
            {email.match(/./u)}
          </span>
          <span class="grow cut muted">{email}</span>
          <a class="icon-btn" href="/settings" aria-label={words.settings}>
            <Icon name="gear" />
          </a>
        </div>
      </div>
    </nav>
  );
}

export function Views() {
  const { inbox, today, overdue } = useStore().views.counts.value;
  return (
    <ul class="nav">
      <NavItem screen="inbox" count={inbox} />
      <NavItem screen="today" count={today} late={overdue} />
      <NavItem screen="upcoming" />
      <NavItem screen="anytime" />
      <NavItem screen="someday" />
    </ul>
  );
}

export function Records() {
  return (
    <ul class="nav">
      <NavItem screen="assistants" />
      <NavItem screen="activity" hasNews={hasNews.value} />
      <NavItem screen="logbook" />
      <NavItem screen="trash" />
    </ul>
  );
}
