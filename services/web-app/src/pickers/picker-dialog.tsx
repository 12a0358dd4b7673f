import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField } from '../overlays/choice-field.tsx';
import { CloseSheet } from '../overlays/close-sheet.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay } from '../overlays/overlay.ts';

type PickerDialogProps = Omit<ComponentProps<typeof ChoiceField>, 'isByTouch' | 'onCommandEnter' | 'hint'> & {
  onClose?: () => void;
  children?: ComponentChildren;
};

/** The field's on-screen keyboard would cover the choices. */
let isTouched = matchMedia('(pointer: coarse)').matches;
const note = (event: Event) => {
  isTouched = event instanceof PointerEvent && event.pointerType === 'touch';
};
for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, note, { capture: true });

/** A text field first, its choices below, further controls after them. */
export function PickerDialog({ onClose = closeOverlay, children, ...field }: PickerDialogProps) {
  const [isByTouch] = useState(isTouched);
  return (
    <Dialog label={field.label} onClose={onClose} narrow>
      <ChoiceField {...field} isByTouch={isByTouch} />
      {children}
      <CloseSheet onClose={onClose} />
    </Dialog>
  );
}
