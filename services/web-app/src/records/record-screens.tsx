import { lazyComponent } from '../loading/lazy-component.tsx';
import { messageWords } from '../words/message-words.ts';

/** Screens of what was and of who did it, in chunks of their own. */
export const ActivityScreen = lazyComponent(
  () => import('./activity-screen.tsx').then((module) => module.ActivityScreen),
  messageWords.notLoaded,
);
export const TrashScreen = lazyComponent(
  () => import('./trash-screen.tsx').then((module) => module.TrashScreen),
  messageWords.notLoaded,
);
export const LogbookScreen = lazyComponent(
  () => import('./logbook-screen.tsx').then((module) => module.LogbookScreen),
  messageWords.notLoaded,
);
export const ConnectionsScreen = lazyComponent(
  () => import('../connections/connections-screen.tsx').then((module) => module.ConnectionsScreen),
  messageWords.notLoaded,
);
export const EarlierDone = lazyComponent(
  () => import('./earlier-done.tsx').then((module) => module.EarlierDone),
  messageWords.notLoaded,
);
