import { Icon } from '../components/icon.tsx';
import { formatKeys } from '../keys/key-map.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';
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
      <button type="button" class="find" onClick={() => openOverlay({ kind: 'palette', text: '' })}>
        <Icon name="search" small />
        <span>{words.searchOrDo}</span>
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
            {email.charAt(0).toUpperCase()}
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
      <NavItem route={{ screen: 'inbox' }} icon="inbox" label={words.inbox} count={inbox} />
      <NavItem
        route={{ screen: 'today' }}
        icon="today"
        label={words.today}
        count={today}
        late={{ count: overdue, label: words.overdueCount(overdue) }}
      />
      <NavItem route={{ screen: 'upcoming' }} icon="upcoming" label={words.upcoming} />
      <NavItem route={{ screen: 'anytime' }} icon="anytime" label={words.anytime} />
      <NavItem route={{ screen: 'someday' }} icon="someday" label={words.someday} />
    </ul>
  );
}

export function Records() {
  return (
    <ul class="nav">
      <NavItem route={{ screen: 'assistants' }} icon="bot" label={words.assistants} />
      <NavItem route={{ screen: 'activity' }} icon="activity" label={words.activity} />
      <NavItem route={{ screen: 'logbook' }} icon="logbook" label={words.logbook} />
      <NavItem route={{ screen: 'trash' }} icon="trash" label={words.trash} />
    </ul>
  );
}
