import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { commandWords } from '../words/command-words.ts';
import type { CommandContext } from './command-context.ts';
import { byRank, rankAfter } from './order.ts';
import { addRow, patch, remove, rowCommands } from './row-drafts.ts';
import { type SectionRow, setFields } from './row-types.ts';

export type SectionCommands = ReturnType<typeof createSectionCommands>;

const listPath = (projectId: string) => `${apiRootPath}/projects/${projectId}/sections`;
const pathOf = ({ id, projectId }: SectionRow) => `${listPath(projectId)}/${id}`;

export function createSectionCommands(context: CommandContext) {
  const { rows } = context;
  const change = rowCommands(context, 'section');
  const sectionsOf = (projectId: string) =>
    rows.sections
      .all()
      .filter((section) => section.projectId === projectId)
      .sort(byRank);

  return {
    /** Adds it at the end. Returns the temporary id. */
    addSection(projectId: string, title: string): string {
      return addRow(context, 'section', listPath(projectId), { title }, (id, updatedAt) => {
        const others = sectionsOf(projectId);
        const rank = rankAfter(others, others.at(-1)?.id ?? null);
        return { id, projectId, title, rank, updatedAt };
      });
    },

    renameSection(id: string, title: string): void {
      change(id, (write, section) => write({ title }, patch(pathOf(section), { title })));
    },

    /** Moves it after the other section of the project, or first. */
    positionSection(id: string, after: string | null): void {
      change(id, (write, section) => {
        const others = sectionsOf(section.projectId).filter((other) => other.id !== id);
        const position = others.findIndex((other) => other.id === after) + 1;
        return write({ rank: rankAfter(others, after) }, patch(pathOf(section), { position }));
      });
    },

    /** Its tasks move to the project's root. */
    deleteSection(id: string): void {
      change(
        id,
        (write, section) => {
          const tasks = rows.tasks.all().filter((task) => task.sectionId === id);
          const moved = tasks.map((task) => setFields('task', task.id, { sectionId: null }));
          return write('gone', remove(pathOf(section)), moved);
        },
        commandWords.sectionDeleted,
      );
    },
  };
}
