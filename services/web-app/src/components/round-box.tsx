import type { AppTask } from '#shared/app/app-protocol.ts';
import { classNames } from './class-names.ts';

type Status = AppTask['status'];

const tick = 'M2.6 6.3l2.4 2.4 4.4-5';
const cross = 'M3.5 3.5l5 5M8.5 3.5l-5 5';

type RoundBoxProps = {
  status: Status;
  /** The title for any status: `aria-checked` has the status. */
  label: string;
  onToggle: () => void;
  /** Just closed in this tab: animates the tick. */
  just?: boolean;
  disabledReason: string | null;
  /** In a grid, the row holds the tab stop. */
  tabIndex?: number;
};

export function RoundBox(props: RoundBoxProps) {
  const { status, label, just, disabledReason } = props;
  const press = (event: Event) => {
    event.stopPropagation();
    if (disabledReason === null) props.onToggle();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot hold the drawn tick
    <button
      type="button"
      role="checkbox"
      class={classNames(boxClasses[status], just && 'just')}
      aria-checked={status === 'completed'}
      aria-label={label}
      aria-disabled={disabledReason !== null || undefined}
      title={disabledReason ?? undefined}
      tabIndex={props.tabIndex}
      onClick={press}
    >
      {outline(status)}
    </button>
  );
}

/** The box as a decoration. */
export function StatusSign({ status }: { status: Status }) {
  return (
    <span class={boxClasses[status]} aria-hidden="true">
      {outline(status)}
    </span>
  );
}

/** An open one is empty. */
function outline(status: Status) {
  if (status === 'open') return null;
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={status === 'cancelled' ? cross : tick} />
    </svg>
  );
}

const boxClasses: Record<Status, string> = { open: 'c', completed: 'c on', cancelled: 'c off' };
