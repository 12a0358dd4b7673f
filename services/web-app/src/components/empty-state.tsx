import type { ComponentChildren } from 'preact';

type EmptyStateProps = {
  title: string;
  hint?: { keys: string; phone: string };
  children?: ComponentChildren;
};

/** The hint names the key to add a task; on phones the button. */
export function EmptyState({ title, hint, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <svg class="empty-mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M20.6 9.2A9.2 9.2 0 1 1 15.7 3.6" />
        <path d="M7.8 11.8l3.6 3.7L20.4 5" />
      </svg>
      <h2>{title}</h2>
      {hint !== undefined && (
        <p>
          <span class="hide-phone">{hint.keys}</span>
          <span class="only-phone">{hint.phone}</span>
        </p>
      )}
      {children}
    </div>
  );
}
