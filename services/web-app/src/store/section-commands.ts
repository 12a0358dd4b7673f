import { commandWords } from '../words/command-words.ts';
import { type CommandContext, publicPath } from './command-context.ts';
import { byRank, rankAfter } from './order.ts';
import type { RecordDraft } from './outbox-record.ts';
import type { RowChange, SectionRow } from './row-types.ts';

export type SectionCommands = ReturnType<typeof createSectionCommands>;

const key = (id: string) => ({ entity: 'section', id }) as const;

export function createSectionCommands(context: CommandContext) {
  const { rows } = context;

  const sectionsOf = (projectId: string) =>
    [...rows.sections.shown.values()].filter((section) => section.projectId === projectId).sort(byRank);

  function change(
    id: string,
    build: (section: SectionRow) => Omit<RecordDraft, 'row' | 'title' | 'path'>,
    toast: (title: string) => string | null = () => null,
  ): void {
    context.run(() => {
      const section = rows.sections.find(id);
      if (section === undefined) return { drafts: [], toast: null };
      const path = `${publicPath}/projects/${section.projectId}/sections/${id}`;
      const { title } = section;
      return { drafts: [{ ...build(section), path, title, row: key(id) }], toast: toast(title) };
    });
  }

  return {
    /** Goes last. Returns the temporary id. */
    addSection(projectId: string, title: string): string {
      const id = crypto.randomUUID();
      context.run(() => {
        const at = context.now().toISOString();
        const others = sectionsOf(projectId);
        const rank = rankAfter(others, others.at(-1)?.id ?? null);
        const path = `${publicPath}/projects/${projectId}/sections`;
        const row: SectionRow = { id, projectId, title, rank, createdAt: at, updatedAt: at };
        const changes: RowChange[] = [{ ...key(id), set: row }];
        const draft = { method: 'POST', path, body: { title }, creates: true, row: key(id), title } as const;
        return { drafts: [{ ...draft, changes }], toast: commandWords.added([title]) };
      });
      return id;
    },

    renameSection(id: string, title: string): void {
      change(id, (section) => ({
        method: 'PATCH',
        body: { title },
        base: { title: section.title },
        changes: [{ ...key(id), set: { title } }],
      }));
    },

    /** Right behind the other section of the project, or first. */
    positionSection(id: string, after: string | null): void {
      change(id, (section) => {
        const others = sectionsOf(section.projectId).filter((other) => other.id !== id);
        const position = others.findIndex((other) => other.id === after) + 1;
        const set = { rank: rankAfter(others, after) };
        return { method: 'PATCH', body: { position }, changes: [{ ...key(id), set }] };
      });
    },

    /** Its tasks fall back to the project's root. */
    deleteSection(id: string): void {
      change(
        id,
        () => {
          const tasks = [...rows.tasks.shown.values()].filter((task) => task.sectionId === id);
          const moved = tasks.map(
            (task): RowChange => ({ entity: 'task', id: task.id, set: { sectionId: null } }),
          );
          return { method: 'DELETE', body: null, changes: [{ ...key(id), gone: true }, ...moved] };
        },
        commandWords.sectionDeleted,
      );
    },
  };
}
