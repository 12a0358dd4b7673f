import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { appRecordScreens, appScreens, type Screen } from '#shared/app/app-screens.ts';
import { endSelection, focusScreen, selected } from './list/list-state.ts';
import { closeMenu, openedMenu } from './menu/menu-state.ts';
import { closeOverlay, overlay } from './overlays/overlay.ts';

type RecordScreen = (typeof appRecordScreens)[number];

export type Route =
  | { screen: Screen }
  | { screen: RecordScreen; id: string }
  | { screen: 'unknown'; path: string };

type Location = {
  route: Route;
  /** `?task=`: the task in the detail panel. */
  task: string | null;
  /** `?q=`: the palette is open with this text. */
  query: string | null;
  /** `?add=`: quick add is open with this text. */
  add: string | null;
  /** Caused by the browser's «Back» or «Forward». */
  isReturn: boolean;
};

/** `history.state` of a task opened in the app: the previous entry is its list. */
const openedHere = 'opened-here';
/** `history.state` of the window's first entry, and of a copy after it. */
const first = 'first';
const doubled = 'doubled';
/** Runs after the browser has gone back, which is asynchronous. */
let afterReturn: (() => void)[] | null = null;
/** `history.state` of the present screen. */
let presentState: unknown = null;

const present = signal<Location>(parseLocation('/app/', '', false));
export const location: ReadonlySignal<Location> = present;

function parseLocation(path: string, search: string, isReturn: boolean): Location {
  const query = new URLSearchParams(search);
  return {
    route: parsePath(path),
    task: query.get('task'),
    query: query.get('q'),
    add: query.get('add'),
    isReturn,
  };
}

function parsePath(path: string): Route {
  const [first, second, ...rest] = path
    .replace(/^\/app\/?/, '')
    .replace(/\/$/, '')
    .split('/');
  const screen = appScreens.find((name) => name === (first || 'today'));
  if (screen !== undefined && second === undefined) return { screen };
  const ofRecord = appRecordScreens.find((name) => name === first);
  if (ofRecord !== undefined && second !== undefined && rest.length === 0)
    return { screen: ofRecord, id: second };
  return { screen: 'unknown', path };
}

/** The address of a route; `task` opens the detail panel over it. */
export function hrefOf(route: Route, task: string | null = null): string {
  return task === null ? pathOf(route) : `${pathOf(route)}?${new URLSearchParams({ task })}`;
}

function pathOf(route: Route): string {
  if (route.screen === 'unknown') return route.path;
  if ('id' in route) return `/app/${route.screen}/${route.id}`;
  return route.screen === 'today' ? '/app/' : `/app/${route.screen}`;
}

type HistoryOptions = { replace?: boolean; state?: typeof openedHere | null };

export function navigate(
  route: Route,
  { task = null, ...options }: HistoryOptions & { task?: string | null } = {},
): void {
  follow(hrefOf(route, task), options);
}

function follow(href: string, options: HistoryOptions = {}): void {
  const { replace = false, state = null } = options;
  if (afterReturn !== null) {
    afterReturn.push(() => follow(href, options));
    return;
  }
  // «Back» stops here again.
  if (history.state === doubled) history.replaceState(first, '');
  if (replace) history.replaceState(history.state, '', href);
  else history.pushState(state, '', href);
  readLocation();
}

/** Opens the task beside the present list. */
export function openTask(id: string): void {
  const { route, task } = present.value;
  navigate(route, { task: id, ...(task === null ? { state: openedHere } : { replace: true }) });
}

/** Goes back if the task was opened from its list, so that «Back» does not open the task again. */
export function closeTask(): void {
  const { route, task } = present.value;
  if (task === null) return;
  if (history.state !== openedHere) {
    navigate(route);
    return;
  }
  present.value = { ...present.value, task: null };
  afterReturn = [];
  history.back();
}

const isOver = () => (overlay.value ?? openedMenu.value) !== null;

/** At the first entry «Back» would leave the app instead of closing a dialog, menu or selection. */
function doubleFirst(): void {
  if (!isOver() && selected.value.size === 0) return;
  if (history.state !== first && history.state !== doubled) return;
  history.replaceState(doubled, '');
  history.pushState(null, '');
  presentState = null;
}

function followHistory(): void {
  // «Back» closes a dialog, menu or selection only; the entry keeps the state of an opened task.
  if (afterReturn === null && (isOver() || selected.peek().size > 0)) {
    if (!isOver()) endSelection();
    closeOverlay();
    closeMenu();
    const { route, task } = present.value;
    history.pushState(presentState, '', hrefOf(route, task));
    return;
  }
  const waiting = afterReturn ?? [];
  afterReturn = null;
  readLocation(true);
  if (history.state === doubled) history.back();
  for (const act of waiting) act();
}

function readLocation(isReturn = false): void {
  const { pathname, search } = window.location;
  present.value = parseLocation(pathname, search, isReturn);
  presentState = history.state;
}

/** Follows the browser's history, and takes plain clicks on links to the app. */
export function startRouter(): void {
  if (history.state === null) history.replaceState(first, '');
  readLocation();
  effect(doubleFirst);
  window.addEventListener('popstate', followHistory);
  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    if (!link?.pathname.startsWith('/app/')) return;
    event.preventDefault();
    followLink(link);
  });
}

/** The link of this site that a plain click follows; null: none, or it opens in another tab or window. */
export function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isHere = link?.target === '' && link.origin === window.location.origin;
  return isPlain && isHere && !event.defaultPrevented && event.button === 0 ? link : null;
}

/** A link to a task of the current screen opens it there; one within the page leads to its list. */
function followLink({ pathname, search, hash }: HTMLAnchorElement): void {
  const task = new URLSearchParams(search).get('task');
  if (hash !== '') focusScreen();
  else if (task !== null && pathname === window.location.pathname) openTask(task);
  else follow(pathname + search);
}

/** Where the user signs in and comes back to this screen. */
export function signInHref(): string {
  const back = window.location.pathname + window.location.search;
  return `/sign-in?${new URLSearchParams({ return_to: back })}`;
}
