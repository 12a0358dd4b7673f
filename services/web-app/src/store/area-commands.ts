import { appApiPath } from '#shared/app/app-protocol.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { commandWords } from '../words/command-words.ts';
import type { CommandContext } from './command-context.ts';
import { byRank, lastRank, rankAfter } from './order.ts';
import { addRow, patch, post, remove, rowCommands } from './row-drafts.ts';
import { setFields } from './row-types.ts';

export type AreaCommands = ReturnType<typeof createAreaCommands>;

const pathOf = (id: string) => `${apiRootPath}/areas/${id}`;

export function createAreaCommands(context: CommandContext) {
  const { rows } = context;
  const change = rowCommands(context, 'area');
  const inOrder = () => rows.areas.all().sort(byRank);

  return {
    /** Adds it at the end. Returns the temporary id. */
    addArea(title: string): string {
      const rowOf = (id: string, updatedAt: string) => ({ id, title, rank: lastRank(inOrder()), updatedAt });
      return addRow(context, 'area', `${apiRootPath}/areas`, { title }, rowOf);
    },

    renameArea(id: string, title: string): void {
      change(id, (write) => write({ title }, patch(pathOf(id), { title })));
    },

    /** Its projects become ungrouped. */
    deleteArea(id: string): void {
      change(
        id,
        (write) => {
          const projects = rows.projects.all().filter((project) => project.areaId === id);
          const freed = projects.map((project) => setFields('project', project.id, { areaId: null }));
          return write('gone', remove(pathOf(id)), freed);
        },
        commandWords.areaDeleted,
      );
    },

    /** Moves it after the other area, or first. */
    positionArea(id: string, after: string | null): void {
      change(id, (write) => {
        const others = inOrder().filter((other) => other.id !== id);
        const request = post(`${appApiPath}/areas/${id}/position`, { after, scope: 'list' });
        return write({ rank: rankAfter(others, after) }, request);
      });
    },
  };
}
