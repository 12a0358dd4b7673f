import { appApiPath } from '#shared/app/app-protocol.ts';
import { commandWords } from '../words/command-words.ts';
import { type CommandContext, publicPath } from './command-context.ts';
import { byRank, lastRank, rankAfter } from './order.ts';
import type { RecordDraft } from './outbox-record.ts';
import type { AreaRow, RowChange } from './row-types.ts';

export type AreaCommands = ReturnType<typeof createAreaCommands>;

const key = (id: string) => ({ entity: 'area', id }) as const;
const pathOf = (id: string) => `${publicPath}/areas/${id}`;

export function createAreaCommands(context: CommandContext) {
  const { rows } = context;
  const inOrder = () => [...rows.areas.shown.values()].sort(byRank);

  function change(
    id: string,
    build: (area: AreaRow) => Omit<RecordDraft, 'row' | 'title'>,
    toast: (title: string) => string | null = () => null,
  ): void {
    context.run(() => {
      const area = rows.areas.find(id);
      if (area === undefined) return { drafts: [], toast: null };
      return {
        drafts: [{ ...build(area), row: key(id), title: area.title }],
        toast: toast(area.title),
      };
    });
  }

  return {
    /** Goes last. Returns the temporary id. */
    addArea(title: string): string {
      const id = crypto.randomUUID();
      context.run(() => {
        const at = context.now().toISOString();
        const row: AreaRow = { id, title, rank: lastRank(inOrder()), createdAt: at, updatedAt: at };
        const changes: RowChange[] = [{ ...key(id), set: row }];
        const request = { method: 'POST', path: `${publicPath}/areas`, body: { title } } as const;
        return {
          drafts: [{ ...request, creates: true, row: key(id), title, changes }],
          toast: commandWords.added([title]),
        };
      });
      return id;
    },

    renameArea(id: string, title: string): void {
      change(id, (area) => ({
        method: 'PATCH',
        path: pathOf(id),
        body: { title },
        base: { title: area.title },
        changes: [{ ...key(id), set: { title } }],
      }));
    },

    /** Its projects stay, without an area. */
    deleteArea(id: string): void {
      change(
        id,
        () => {
          const projects = [...rows.projects.shown.values()].filter((project) => project.areaId === id);
          const freed = projects.map(
            (project): RowChange => ({ entity: 'project', id: project.id, set: { areaId: null } }),
          );
          const changes = [{ ...key(id), gone: true } as const, ...freed];
          return { method: 'DELETE', path: pathOf(id), body: null, changes };
        },
        commandWords.areaDeleted,
      );
    },

    /** Right behind the other area, or first. */
    positionArea(id: string, after: string | null): void {
      change(id, () => {
        const others = inOrder().filter((other) => other.id !== id);
        return {
          method: 'POST',
          path: `${appApiPath}/areas/${id}/position`,
          body: { after, scope: 'list' },
          changes: [{ ...key(id), set: { rank: rankAfter(others, after) } }],
        };
      });
    },
  };
}
