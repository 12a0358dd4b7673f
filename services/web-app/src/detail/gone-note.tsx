import { Icon } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import type { RowRef } from '../list/list-group.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';

/** The open task or project was moved to the Trash. */
export function GoneNote({ entity, id }: RowRef) {
  const { actors, commands } = useStore();
  const actor = actors.of(entity, id);
  const restore = () => (entity === 'task' ? commands.restore(id) : commands.restoreProject(id));
  return (
    <div class="strip care gone" role="status">
      <Icon name="trash" />
      <span class="grow" dir="auto">
        {actor === null ? words.inTrash : words.trashedBy(actor.name)}
      </span>
      <WriteButton class="btn" text={words.restore} onPress={restore} />
    </div>
  );
}
