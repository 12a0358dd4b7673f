/*
 * What the first list does not need, in one chunk: one request, and one file compresses better than thirty.
 * Loaded as soon as the first list is shown.
 */
export { DetailPanel } from '../detail/detail-panel.tsx';
export { areaMenu, projectMenu } from '../frame/list-menus.ts';
export { SelectionBar } from '../frame/selection-bar.tsx';
export { ProjectRow } from '../list/project-row.tsx';
export { moveRowInTurn } from '../list/reorder.ts';
export { MenuHost } from '../menu/menu.tsx';
export { AskingStrips } from '../messages/asking-strips.tsx';
export { AssistantStrip } from '../messages/assistant-strip.tsx';
export { RefusedLimitDialog } from '../messages/limit-dialog.tsx';
export { SignedOutDialog } from '../messages/signed-out-dialog.tsx';
export { OpenOverlay } from '../overlays/open-overlay.tsx';
export { QuickAddFoot } from '../quick-add/quick-add-foot.tsx';
export { AnytimeScreen } from '../screens/anytime-screen.tsx';
export { NothingHere } from '../screens/nothing-here.tsx';
export { ProjectScreen } from '../screens/project-screen.tsx';
export { UpcomingScreen } from '../screens/upcoming-screen.tsx';
