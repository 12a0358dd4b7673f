import { useStore } from '../store/store-context.ts';
import { NotesField } from './notes-field.tsx';

/** Notes of a project, in its head. */
export function ProjectNotes({ id }: { id: string }) {
  const store = useStore();
  const project = store.rows.projects.row(id).value;
  if (project === undefined) return null;
  const isUnsent = store.waiting.value.has(`project:${id}`);
  return (
    <NotesField
      description={project.description ?? ''}
      descriptionHtml={isUnsent ? undefined : project.descriptionHtml}
      isWritable={store.connection.value !== 'suspended' && project.status === 'active'}
      onSave={(text) => store.commands.patchProject(id, { description: text === '' ? null : text })}
    />
  );
}
