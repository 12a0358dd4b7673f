import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { screenWords as words } from '../words/screen-words.ts';

const asked = signal<string | null>(null);

/** A project with open tasks: they are completed with it, or cancelled. */
export function askToComplete(store: Store, projectId: string): void {
  if (store.views.progress(projectId).value.open === 0) store.commands.completeProject(projectId, 'complete');
  else asked.value = projectId;
}

export function CompletionQuestion() {
  const id = asked.value;
  return id === null ? null : <Question key={id} id={id} />;
}

function Question({ id }: { id: string }) {
  const store = useStore();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const answer = (openTasks: 'complete' | 'cancel' | null) => {
    asked.value = null;
    if (openTasks !== null) store.commands.completeProject(id, openTasks);
  };
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="completion-question" onClose={() => answer(null)}>
      <h2 id="completion-question">{words.completeOpen(store.views.progress(id).value.open)}</h2>
      <p dir="auto">{store.rows.projects.row(id).value?.title}</p>
      <div class="acts">
        <button type="button" class="btn primary" onClick={() => answer('complete')}>
          {words.completeThem}
        </button>
        <button type="button" class="btn" onClick={() => answer('cancel')}>
          {words.cancelThem}
        </button>
        <button type="button" class="btn quiet" onClick={() => answer(null)}>
          {words.back}
        </button>
      </div>
    </dialog>
  );
}
