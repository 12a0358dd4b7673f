import { closeOverlay } from '../overlays/overlay.ts';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import { useStore } from '../store/store-context.ts';
import { projectWords as words } from '../words/project-words.ts';

/** A project with open tasks: they are completed with it, or cancelled. */
export function CompletionQuestion({ id: asked }: { id: string }) {
  const store = useStore();
  const id = store.idOf(asked);
  const question = words.completeOpen(store.views.progress(id).value.open);
  const complete = (openTasks: 'complete' | 'cancel') => {
    closeOverlay();
    store.commands.completeProject(id, openTasks);
  };
  return (
    <TitledDialog label={question} onClose={closeOverlay} narrow>
      <p dir="auto">{store.rows.projects.row(id).value?.title}</p>
      <div class="question-acts">
        <button type="button" class="btn primary" onClick={() => complete('complete')}>
          {words.completeThem}
        </button>
        <button type="button" class="btn" onClick={() => complete('cancel')}>
          {words.cancelThem}
        </button>
        <button type="button" class="btn quiet" onClick={closeOverlay}>
          {words.back}
        </button>
      </div>
    </TitledDialog>
  );
}
