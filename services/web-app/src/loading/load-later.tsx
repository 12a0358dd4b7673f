import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';
import { messageWords } from '../words/message-words.ts';

type LaterParts = typeof import('./later-parts.tsx');

/** Null until they are loaded. */
export const laterParts = signal<LaterParts | null>(null);

/** Rejects without a connection on a first visit; the next call tries again. */
export async function loadLaterParts(): Promise<LaterParts> {
  const parts = await import('./later-parts.tsx');
  // The page loads it from its start, for no medium: so it holds up nothing.
  document.getElementById('later-style')?.removeAttribute('media');
  laterParts.value = parts;
  return parts;
}

/** A component of the later parts; shows nothing until they are loaded. `isBackground`: a failure is not shown. */
function later<Props extends object>(
  componentOf: (present: LaterParts) => ComponentType<Props>,
  { isBackground = false } = {},
): ComponentType<Props> {
  return function Later(props: Props) {
    const store = useStore();
    useEffect(() => {
      loadLaterParts().catch(() => isBackground || store.notices.toast(messageWords.notLoaded));
    }, []);
    if (laterParts.value === null) return null;
    const Component = componentOf(laterParts.value);
    return <Component {...props} />;
  };
}

export const ActivityScreen = later((present) => present.ActivityScreen);
export const AreaScreen = later((present) => present.AreaScreen);
export const AssistantStrip = later((present) => present.AssistantStrip, { isBackground: true });
export const ConnectionsScreen = later((present) => present.ConnectionsScreen);
export const DetailPanel = later((present) => present.DetailPanel);
export const FirstRun = later((present) => present.FirstRun);
export const LogbookScreen = later((present) => present.LogbookScreen);
export const MenuHost = later((present) => present.MenuHost, { isBackground: true });
export const OpenOverlay = later((present) => present.OpenOverlay);
export const ProjectScreen = later((present) => present.ProjectScreen);
export const RefusalDialog = later((present) => present.RefusalDialog);
export const RefusedLimitDialog = later((present) => present.RefusedLimitDialog, { isBackground: true });
export const SelectionBar = later((present) => present.SelectionBar, { isBackground: true });
export const SignedOutDialog = later((present) => present.SignedOutDialog, { isBackground: true });
export const TrashScreen = later((present) => present.TrashScreen);
export const UpcomingScreen = later((present) => present.UpcomingScreen);
