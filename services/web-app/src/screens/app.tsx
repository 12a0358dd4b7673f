import type { ComponentType, JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Screen } from '#shared/app/app-screens.ts';
import { classNames } from '../components/class-names.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { LoadingRows } from '../components/loading-rows.tsx';
import { isCovered, isSideHidden } from '../frame/layout.ts';
import { ProjectLists } from '../frame/project-lists.tsx';
import { runAction } from '../frame/run-action.ts';
import { Records, Sidebar, Views } from '../frame/sidebar.tsx';
import { TabBar } from '../frame/tab-bar.tsx';
import { startKeys } from '../keys/key-events.ts';
import { formatKeys } from '../keys/key-map.ts';
import { selected } from '../list/list-state.ts';
import { LiveRegion } from '../live/announce.tsx';
import {
  ActivityScreen,
  AnytimeScreen,
  AreaScreen,
  AssistantStrip,
  ConnectionsScreen,
  DetailPanel,
  LogbookScreen,
  laterParts,
  MenuHost,
  NothingHere,
  ProjectScreen,
  recordParts,
  SelectionBar,
  SignedOutDialog,
  TaskLink,
  TrashScreen,
  UpcomingScreen,
} from '../loading/load-later.tsx';
import { Strips } from '../messages/strips.tsx';
import { Toasts } from '../messages/toasts.tsx';
import { openOverlay } from '../overlays/overlay.ts';
import { Overlays } from '../overlays/overlays.tsx';
import { hrefOf, location, type Route } from '../router.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';
import { InboxScreen, SomedayScreen } from './list-screens.tsx';
import { PageHead } from './page-head.tsx';
import { TodayScreen } from './today-screen.tsx';
import { useScrollPlaces } from './use-scroll-places.ts';

export function App() {
  const store = useStore();
  const { route, task } = location.value;
  const connection = store.connection.value;
  const isSignedOut = connection === 'signed-out';
  useLayoutEffect(() => {
    return startKeys((action) => runAction(store, action));
  }, [store]);
  // Removed fields have saved their text by now.
  useLayoutEffect(() => {
    if (isSignedOut) store.forget();
  }, [store, isSignedOut]);
  const isWaiting = connection === 'connecting' && !store.isLoaded.value;
  useEffect(() => (isWaiting ? undefined : loadFollowers(store)), [store, isWaiting]);
  const screen = screenKey(store, route);
  const page = useScrollPlaces(screen);
  // A page of another account, or without one, must not show this account's data.
  if (isSignedOut) return <SignedOutDialog />;
  const hasDetail = task !== null;
  const isCovering = hasDetail && isCovered.value;
  const appClass = classNames(
    'app',
    hasDetail && 'with-detail',
    isSideHidden.value && 'side-hidden',
    selected.value.size > 0 && 'is-selecting',
    store.notices.toasts.value.length > 0 && 'has-toast',
  );
  return (
    <div class={appClass}>
      <a class="skip btn" href="#main">
        {words.skip}
      </a>
      <Sidebar />
      <main class="main" id="main" tabIndex={-1}>
        <div class="bar">
          {isSideHidden.value &&
            barButton('list', words.showSidebar, '\\', () => {
              isSideHidden.value = false;
            })}
          <AssistantStrip />
          {barButton('search', words.search, null, () => openOverlay({ kind: 'palette' }))}
          {barButton('plus', words.add, 'n', () => openOverlay({ kind: 'quick-add' }))}
        </div>
        <div class="page" ref={page}>
          <div class="col">
            {!isCovering && <Strips />}
            <PresentScreen key={screen} route={route} />
          </div>
        </div>
        <SelectionBar />
      </main>
      {hasDetail && (
        <div class="detail-place">
          <DetailPanel messages={isCovering && <Strips />} />
        </div>
      )}
      <TabBar />
      <Toasts />
      <LiveRegion />
      <MenuHost />
      <Overlays />
    </div>
  );
}

/** Actions with keys have no button on phones; some exist only there. */
function barButton(icon: IconName, label: string, keys: string | null, onClick: () => void) {
  return (
    <button
      type="button"
      class={keys === null ? 'icon-btn only-phone' : 'icon-btn hide-phone'}
      aria-label={label}
      title={keys === null ? undefined : `${label}  ${formatKeys(keys)}`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Loads what the first rows do not need: dragging, gestures, menus, messages. */
function loadFollowers(store: Store): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const load = async () => {
    await laterParts.load();
    const parts = await recordParts.load();
    if (!signal.aborted) parts.followPage(store, signal);
  };
  // A first visit may go offline before they are loaded.
  const loadOrRetry = () => {
    load().catch(() => window.addEventListener('online', loadOrRetry, { once: true, signal }));
  };
  loadOrRetry();
  return () => ending.abort();
}

/** The key of a screen, which does not change when the server's id replaces a temporary one. */
function screenKey(store: Store, route: Route): string {
  return hrefOf('id' in route ? { ...route, id: store.keyOf(store.idOf(route.id)) } : route);
}

function PresentScreen({ route }: { route: Route }) {
  const store = useStore();
  const title = titleOf(store, route);
  useEffect(() => {
    document.title = title === '' ? words.product : `${title} · ${words.product}`;
  }, [title]);
  const isShown = store.isLoaded.value;
  useEffect(() => {
    // Focuses the heading of a new screen, unless a link of the sidebar has the focus.
    if (isShown && document.activeElement?.matches('body, #main'))
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [isShown, laterParts.present.value, recordParts.present.value]);
  if (!isShown) return <LoadingRows label={words.loading} />;
  return screenOf(route);
}

const screens: Record<Screen, ComponentType> = {
  today: TodayScreen,
  upcoming: UpcomingScreen,
  inbox: InboxScreen,
  anytime: AnytimeScreen,
  someday: SomedayScreen,
  logbook: LogbookScreen,
  trash: TrashScreen,
  activity: ActivityScreen,
  assistants: ConnectionsScreen,
  lists: ListsScreen,
};

const recordScreens = { area: AreaScreen, project: ProjectScreen, task: TaskLink };

function screenOf(route: Route): JSX.Element {
  if (route.screen === 'unknown') return <NothingHere />;
  if ('id' in route) {
    const RecordScreen = recordScreens[route.screen];
    return <RecordScreen id={route.id} />;
  }
  const Screen = screens[route.screen];
  return <Screen />;
}

function titleOf(store: Store, route: Route): string {
  if (route.screen === 'area') return store.rows.areas.row(route.id).value?.title ?? '';
  if (route.screen === 'project') return store.rows.projects.row(route.id).value?.title ?? '';
  if (route.screen === 'task') return '';
  if (route.screen === 'unknown') return words.nothingHere;
  return words[route.screen];
}

/** On phones, the sidebar as a page. */
function ListsScreen() {
  return (
    <>
      <PageHead title={words.lists} />
      <div class="lists-page">
        <Views />
        <ProjectLists place="page" />
        <Records />
        <ul class="nav">
          <li>
            <a href="/settings">
              <Icon name="gear" />
              <span class="cut">{words.settings}</span>
            </a>
          </li>
        </ul>
      </div>
    </>
  );
}
