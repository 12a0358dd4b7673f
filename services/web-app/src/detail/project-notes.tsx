import { useEffect } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';
import { NotesField } from './notes-field.tsx';

export function ProjectNotes({ id }: { id: string }) {
  const store = useStore();
  const project = store.rows.projects.row(id).value;
  const isLeftOut = project?.hasLongNotes === true && project.description === null;
  const connection = store.connection.value;
  useEffect(() => {
    if (!isLeftOut) return;
    // Offline, they are fetched when the connection is back.
    store.loadTexts([id]).catch(() => {});
  }, [id, isLeftOut, connection]);
  if (project === undefined || isLeftOut) return null;
  const isUnsent = store.waiting.value.has(`project:${id}`);
  return (
    <NotesField
      id={id}
      description={project.description ?? ''}
      descriptionHtml={isUnsent ? null : project.descriptionHtml}
      isWritable={store.connection.value !== 'suspended' && project.status === 'active'}
      onSave={(...notes) => store.commands.patchProject(id, ...notes)}
    />
  );
}
