import type { ComponentChildren } from 'preact';
import { writeBlock } from '../list/task-actions.ts';
import { useStore } from '../store/store-context.ts';

type WriteButtonProps = {
  class: string;
  label?: string;
  /** Why it cannot be pressed, whatever the account may do. */
  block?: string | null;
  onPress: () => void;
  children: ComponentChildren;
};

/** Changes something: while nothing can be changed it stays, and says why. */
export function WriteButton({ class: className, label, block: own, onPress, children }: WriteButtonProps) {
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
      {children}
    </button>
  );
}
