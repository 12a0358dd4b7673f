import { useEffect } from 'preact/hooks';
import { HistoryDialog, OpenOverlay, RefusedLimitDialog, ShortcutsHelp } from '../loading/load-later.tsx';
import { loadGrammar } from '../quick-add/load-grammar.ts';
import { QuickAdd } from '../quick-add/quick-add.tsx';
import { location, navigate } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { openOverlay, overlay } from './overlay.ts';

const idleMilliseconds = 1000;

/** The open dialog, and refusals by the plan. `?add=` and `?q=` open their dialogs. */
export function Overlays() {
  const { add, query, route, task } = location.value;
  const isLoaded = useStore().isLoaded.value;
  useEffect(() => {
    if (!isLoaded) return;
    const timer = setTimeout(() => void loadGrammar(), idleMilliseconds);
    return () => clearTimeout(timer);
  }, [isLoaded]);
  useEffect(() => {
    if (add === null && query === null) return;
    navigate(route, { task, replace: true });
    if (add !== null) openOverlay({ kind: 'quick-add', text: add });
    else openOverlay({ kind: 'palette', text: query ?? '' });
  }, [add, query]);
  return (
    <>
      <OpenDialog />
      <RefusedLimitDialog />
    </>
  );
}

function OpenDialog() {
  const open = overlay.value;
  if (open === null) return null;
  switch (open.kind) {
    case 'quick-add':
      return <QuickAdd {...open} />;
    case 'history':
      return <HistoryDialog {...open} />;
    case 'keys':
      return <ShortcutsHelp />;
    default:
      return <OpenOverlay key={open.kind} open={open} />;
  }
}
