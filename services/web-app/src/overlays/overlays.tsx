import { useEffect } from 'preact/hooks';
import { TaskMenuDialog } from '../detail/task-menu.tsx';
import { LimitDialog, RefusedLimitDialog } from '../messages/limit-dialog.tsx';
import { SignedOutDialog } from '../messages/signed-out-dialog.tsx';
import { Palette } from '../palette/palette.tsx';
import { DatePicker } from '../pickers/date-picker.tsx';
import { DeadlinePicker, ProjectDeadlinePicker } from '../pickers/deadline-picker.tsx';
import { ListPicker } from '../pickers/list-picker.tsx';
import { RepeatPicker } from '../pickers/repeat-picker.tsx';
import { QuickAdd } from '../quick-add/quick-add.tsx';
import { HistoryDialog } from '../records/history-dialog.tsx';
import { startReminders } from '../reminders/start-reminders.ts';
import { hrefOf, location, navigate } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { type Overlay, openOverlay, overlay } from './overlay.ts';
import { ShortcutsHelp } from './shortcuts-help.tsx';

/** The dialog that is open, what the plan refused, and the question to sign in. `?add=` and `?q=` open theirs. */
export function Overlays() {
  const store = useStore();
  useEffect(() => startReminders(store), []);
  const { add, query, route, task } = location.value;
  useEffect(() => {
    if (add === null && query === null) return;
    if (add !== null) openOverlay({ kind: 'quick-add', text: add, list: null });
    else if (query !== null) openOverlay({ kind: 'palette', text: query });
    navigate(hrefOf(route, { task }), { replace: true });
  }, [add, query]);
  const open = overlay.value;
  return (
    <>
      {open !== null && <OpenOverlay key={open.kind} open={open} />}
      <RefusedLimitDialog />
      <SignedOutDialog />
    </>
  );
}

function OpenOverlay({ open }: { open: Overlay }) {
  switch (open.kind) {
    case 'quick-add':
      return <QuickAdd text={open.text} list={open.list} />;
    case 'palette':
      return <Palette text={open.text} />;
    case 'plan':
      return <DatePicker ids={open.ids} />;
    case 'move':
      return <ListPicker ids={open.ids} />;
    case 'deadline':
      return <DeadlinePicker ids={open.ids} />;
    case 'repeat':
      return <RepeatPicker ids={open.ids} />;
    case 'projectDeadline':
      return <ProjectDeadlinePicker id={open.id} />;
    case 'menu':
      return <TaskMenuDialog ids={open.ids} />;
    case 'history':
      return <HistoryDialog entity={open.entity} id={open.id} title={open.title} />;
    case 'limit':
      return <LimitDialog limit={open.limit} title={open.title} />;
    case 'keys':
      return <ShortcutsHelp />;
  }
}
