import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import { isOpenTask } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { projectWords as words } from '../words/project-words.ts';

/** Asks whether the project's open tasks are completed or cancelled with it. */
export function CompletionQuestion({ id: asked }: { id: string }) {
  const store = useStore();
  const id = store.idOf(asked);
  const [open] = useState(() =>
    store.rows.tasks.all().filter((task) => task.projectId === id && isOpenTask(task)),
  );
  const question = words.completeOpen(open.length);
  const complete = (openTasks: 'complete' | 'cancel') => {
    closeOverlay();
    const tasks = open.map((task) => store.idOf(task.id));
    store.commands.completeProject(id, openTasks, tasks);
  };
  return (
    <TitledDialog label={question} onClose={closeOverlay} narrow>
      <p dir="auto">{store.rows.projects.row(id).value?.title}</p>
      <div class="question-acts">
        <Button text={words.completeThem} kind="primary" onPress={() => complete('complete')} />
        <Button text={words.cancelThem} onPress={() => complete('cancel')} />
        <Button text={words.back} kind="quiet" onPress={closeOverlay} />
      </div>
    </TitledDialog>
  );
}
