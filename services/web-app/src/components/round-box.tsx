type BoxState = 'open' | 'done' | 'cancelled';

const tick = 'M2.6 6.3l2.4 2.4 4.4-5';
const cross = 'M3.5 3.5l5 5M8.5 3.5l-5 5';

type RoundBoxProps = {
  state: BoxState;
  /** The title in each state: `aria-checked` tells the state. */
  label: string;
  onToggle: () => void;
  /** Just closed here: the tick is drawn. */
  just?: boolean;
  /** Why it cannot be pressed: the account is suspended. */
  disabledReason?: string | null;
  /** In a grid, the row holds the tab stop. */
  tabIndex?: number;
};

export function RoundBox(props: RoundBoxProps) {
  const { state, label, just = false, disabledReason = null } = props;
  const press = (event: Event) => {
    event.stopPropagation();
    if (disabledReason === null) props.onToggle();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot hold the drawn tick
    <button
      type="button"
      role="checkbox"
      class={`c${boxClass[state]}${just ? ' just' : ''}`}
      aria-checked={state === 'done'}
      aria-label={label}
      aria-disabled={disabledReason === null ? undefined : true}
      title={disabledReason ?? undefined}
      tabIndex={props.tabIndex}
      onClick={press}
    >
      <BoxSign isCancelled={state === 'cancelled'} />
    </button>
  );
}

export function BoxSign({ isCancelled }: { isCancelled: boolean }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={isCancelled ? cross : tick} />
    </svg>
  );
}

const boxClass: Record<BoxState, string> = { open: '', done: ' on', cancelled: ' off' };
