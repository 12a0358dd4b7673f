/*
 * The screens of areas, records and assistants, the table of keys, chips of quick add, dragging and gestures,
 * in a separate chunk. Loaded after the later parts, so that it is available offline.
 */
// Keeps what both share with the first list in one chunk, which compresses better than two.
import './later-parts.tsx';

export { ConnectionsScreen } from '../connections/connections-screen.tsx';
export { EmptyToday } from '../first-run/empty-today.tsx';
export { FirstRun } from '../first-run/first-run.tsx';
export { VersionStrip } from '../messages/version-strip.tsx';
export { ShortcutsHelp } from '../overlays/shortcuts-help.tsx';
export { EntryChips } from '../quick-add/entry-chips.tsx';
export { ActivityScreen } from '../records/activity-screen.tsx';
export { HistoryDialog } from '../records/history-dialog.tsx';
export { LogbookScreen } from '../records/logbook-screen.tsx';
export { keyHint, moveInRecords, pressBox } from '../records/record-keys.ts';
export { TrashScreen } from '../records/trash-screen.tsx';
export { AreaScreen } from '../screens/area-screen.tsx';
export { followPage } from '../screens/page-followers.ts';
export { TaskLink } from '../screens/task-link.tsx';
