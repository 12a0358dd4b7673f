import { Icon } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';

/** The open task was moved to the Trash meanwhile. */
export function GoneNote({ task }: { task: TaskRow }) {
  const store = useStore();
  const actor = store.actors.of('task', task.id).value;
  return (
    <div class="strip care gone" role="status">
      <Icon name="trash" />
      <span class="grow" dir="auto">
        {actor === null ? words.inTrash : words.trashedBy(actor.name)}
      </span>
      <WriteButton class="btn" onPress={() => store.commands.restore(task.id)}>
        {words.restore}
      </WriteButton>
    </div>
  );
}
