import { CompletionQuestion } from '../frame/completion-question.tsx';
import { LimitDialog } from '../messages/limit-dialog.tsx';
import { Palette } from '../palette/palette.tsx';
import { AreaPicker } from '../pickers/area-picker.tsx';
import { DatePicker } from '../pickers/date-picker.tsx';
import { DeadlinePicker, ProjectDeadlinePicker } from '../pickers/deadline-picker.tsx';
import { ListPicker } from '../pickers/list-picker.tsx';
import { RepeatPicker } from '../pickers/repeat-picker.tsx';
import type { Overlay } from './overlay.ts';

/** All dialogs except quick add, which is needed at the first key, and those of another chunk. */
type LaterOverlay = Exclude<Overlay, { kind: 'quick-add' | 'history' | 'keys' }>;

export function OpenOverlay({ open }: { open: LaterOverlay }) {
  switch (open.kind) {
    case 'palette':
      return <Palette {...open} />;
    case 'plan':
      return <DatePicker ids={open.ids} startsAtReminder={open.startsAtReminder} />;
    case 'move':
      return <ListPicker ids={open.ids} />;
    case 'deadline':
      return <DeadlinePicker ids={open.ids} />;
    case 'repeat':
      return <RepeatPicker ids={open.ids} />;
    case 'projectDeadline':
      return <ProjectDeadlinePicker id={open.id} />;
    case 'area':
      return <AreaPicker id={open.id} />;
    case 'completion':
      return <CompletionQuestion id={open.id} />;
    case 'limit':
      return <LimitDialog title={open.title} />;
  }
}
