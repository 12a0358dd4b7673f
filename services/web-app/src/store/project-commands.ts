import { appApiPath, mostTasksAsked, type ProjectCompletionRequest } from '#shared/app/app-protocol.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { commandWords, type ToastText } from '../words/command-words.ts';
import { type CommandContext, onBase } from './command-context.ts';
import { byRank, lastRank, rankAfter } from './order.ts';
import { addRow, patch, post, remove, rowCommands } from './row-drafts.ts';
import { isOpenTask, type ProjectRow, type RowChange, setFields, type TaskRow } from './row-types.ts';

type ProjectPatch = Partial<Pick<ProjectRow, 'title' | 'description' | 'areaId' | 'deadlineDate'>>;
type NewProject = { title: string } & Omit<ProjectPatch, 'title'>;

export type ProjectCommands = ReturnType<typeof createProjectCommands>;

const pathOf = (id: string) => `${apiRootPath}/projects/${id}`;

export function createProjectCommands(context: CommandContext) {
  const { rows } = context;
  const change = rowCommands(context, 'project');

  const tasksOf = (projectId: string, isOpen: boolean): TaskRow[] =>
    rows.tasks
      .all()
      .filter((task) => task.projectId === projectId && isOpenTask(task) === isOpen && !task.inTrash);

  const setAll = (tasks: readonly TaskRow[], set: Partial<TaskRow>): RowChange[] =>
    tasks.map((task) => setFields('task', task.id, set));

  return {
    /** Adds it at the end. Returns the temporary id. */
    addProject(input: NewProject): string {
      const rank = () => lastRank(rows.projects.all());
      return addRow(context, 'project', `${apiRootPath}/projects`, input, (id, at) =>
        newRow(id, input, rank(), at),
      );
    },

    patchProject(
      id: string,
      changes: ProjectPatch,
      base: ProjectPatch = {},
      toast: (titles: string[]) => ToastText | null = () => null,
    ): void {
      change(id, (write) => onBase(write(changes, patch(pathOf(id), { ...changes })), base), toast);
    },

    /** With the open tasks that the user was asked about; above a maximum, with all that are open. */
    completeProject(id: string, openTasks: 'complete' | 'cancel', asked: readonly string[]): void {
      const completeChildTasks = openTasks === 'complete';
      const ids = new Set(asked);
      const closing = () => tasksOf(id, true).filter((task) => ids.has(task.id));
      change(
        id,
        (write) => {
          const at = context.now().toISOString();
          const completed = { status: 'completed', completedAt: at } as const;
          const closed = completeChildTasks ? completed : ({ status: 'cancelled', cancelledAt: at } as const);
          const body: ProjectCompletionRequest = { completeChildTasks, asked: [...asked] };
          const request =
            asked.length > mostTasksAsked
              ? post(`${pathOf(id)}/complete`, { completeChildTasks })
              : post(`${appApiPath}/projects/${id}/complete`, body);
          return write(completed, request, setAll(closing(), closed));
        },
        (titles) => commandWords.completedProject(titles, closing().filter((task) => task.recurrence).length),
      );
    },

    uncompleteProject(id: string): void {
      change(
        id,
        (write) => write({ status: 'active', completedAt: null }, post(`${pathOf(id)}/uncomplete`)),
        (titles) => commandWords.reopenedProject(titles, tasksOf(id, false).length > 0),
      );
    },

    /** Trashes it with its open tasks. */
    trashProject(id: string): void {
      const set = { inTrash: true };
      change(
        id,
        (write) => write(set, remove(pathOf(id)), setAll(tasksOf(id, true), set)),
        commandWords.trashed,
      );
    },

    /** Tasks trashed with it are restored with the response. */
    restoreProject(id: string): void {
      const request = post(`${appApiPath}/projects/${id}/restore`);
      change(id, (write) => write({ inTrash: false }, request), commandWords.restored);
    },

    /** Moves it after the other project, or first; into the given area, if any. */
    positionProject(id: string, after: string | null, areaId?: string | null): void {
      change(id, (write, project) => {
        const isMoved = areaId !== undefined && areaId !== project.areaId;
        const others = rows.projects
          .all()
          .filter((other) => other.id !== id)
          .sort(byRank);
        const request = post(`${appApiPath}/projects/${id}/position`, { after, scope: 'list' });
        return [
          ...(isMoved ? [write({ areaId }, patch(pathOf(id), { areaId }))] : []),
          write({ rank: rankAfter(others, after) }, request),
        ];
      });
    },
  };
}

function newRow(id: string, input: NewProject, rank: number, at: string): ProjectRow {
  return {
    id,
    title: input.title,
    description: input.description ?? null,
    descriptionHtml: '',
    hasLongNotes: false,
    status: 'active',
    areaId: input.areaId ?? null,
    deadlineDate: input.deadlineDate ?? null,
    inTrash: false,
    completedAt: null,
    cancelledAt: null,
    updatedAt: at,
    rank,
  };
}
