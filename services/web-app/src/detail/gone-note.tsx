import { Icon } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';

type GoneNoteProps = { entity: 'task' | 'project'; id: string; onRestore: () => void };

/** The open task or project was moved to the Trash. */
export function GoneNote({ entity, id, onRestore }: GoneNoteProps) {
  const actor = useStore().actors.of(entity, id);
  return (
    <div class="strip care gone" role="status">
      <Icon name="trash" />
      <span class="grow" dir="auto">
        {actor === null ? words.inTrash : words.trashedBy(actor.name)}
      </span>
      <WriteButton class="btn" text={words.restore} onPress={onRestore} />
    </div>
  );
}
