import type { ComponentChildren } from 'preact';
import { writeBlock } from '../list/task-actions.ts';
import { useStore } from '../store/store-context.ts';

type WriteButtonProps = {
  class: string | undefined;
  text?: string;
  label?: string;
  /** A further reason to disable it. */
  block?: string | null;
  onPress: () => void;
  children?: ComponentChildren;
};

/** A button that changes something: while changes are impossible it is shown with the reason. */
export function WriteButton({
  class: className,
  text,
  label,
  block: own,
  onPress,
  children,
}: WriteButtonProps) {
  const suspended = writeBlock(useStore());
  const block = own ?? suspended;
  return (
    <button
      type="button"
      class={className}
      aria-label={label}
      aria-disabled={block !== null || undefined}
      title={block ?? undefined}
      onClick={() => block === null && onPress()}
    >
      {text ?? children}
    </button>
  );
}
