import { appApiPath } from '#shared/app/app-protocol.ts';
import { commandWords } from '../words/command-words.ts';
import { type CommandContext, onBase, publicPath } from './command-context.ts';
import { byRank, lastRank, rankAfter } from './order.ts';
import type { RecordDraft } from './outbox-record.ts';
import { isOpenTask, type ProjectRow, type RowChange, type TaskRow } from './row-types.ts';

type ProjectPatch = Partial<Pick<ProjectRow, 'title' | 'description' | 'areaId' | 'deadlineDate'>>;
type NewProject = { title: string } & Omit<ProjectPatch, 'title'>;

export type ProjectCommands = ReturnType<typeof createProjectCommands>;

const key = (id: string) => ({ entity: 'project', id }) as const;
const pathOf = (id: string) => `${publicPath}/projects/${id}`;

export function createProjectCommands(context: CommandContext) {
  const { rows } = context;

  function change(
    id: string,
    build: (project: ProjectRow) => RecordDraft[],
    toast: (title: string) => string | null = () => null,
  ): void {
    context.run(() => {
      const project = rows.projects.find(id);
      if (project === undefined) return { drafts: [], toast: null };
      return { drafts: build(project), toast: toast(project.title) };
    });
  }

  function openTasksOf(projectId: string): TaskRow[] {
    const tasks = [...rows.tasks.shown.values()];
    return tasks.filter((task) => task.projectId === projectId && isOpenTask(task));
  }

  return {
    /** Goes last. Returns the temporary id. */
    addProject(input: NewProject): string {
      const id = crypto.randomUUID();
      context.run(() => ({
        drafts: [draftProject(id, input, lastRank([...rows.projects.shown.values()]), context.now())],
        toast: commandWords.added([input.title]),
      }));
      return id;
    },

    patchProject(id: string, patch: ProjectPatch, base: ProjectPatch = {}): void {
      change(id, (project) => [
        onBase(write(project, patch, { method: 'PATCH', path: pathOf(id), body: { ...patch } }), base),
      ]);
    },

    /** Its open tasks are completed with it, or cancelled. */
    completeProject(id: string, openTasks: 'complete' | 'cancel'): void {
      const completeChildTasks = openTasks === 'complete';
      change(
        id,
        (project) => {
          const at = context.now().toISOString();
          const closed = completeChildTasks
            ? ({ status: 'completed', completedAt: at } as const)
            : ({ status: 'cancelled', cancelledAt: at } as const);
          const children = openTasksOf(id).map((task): RowChange => taskChange(task, closed));
          const request = {
            method: 'POST',
            path: `${pathOf(id)}/complete`,
            body: { completeChildTasks },
          } as const;
          return [write(project, { status: 'completed', completedAt: at }, request, children)];
        },
        commandWords.projectDone,
      );
    },

    uncompleteProject(id: string): void {
      const request = { method: 'POST', path: `${pathOf(id)}/uncomplete`, body: null } as const;
      const set = { status: 'active', completedAt: null } as const;
      change(id, (project) => [write(project, set, request)], commandWords.projectReopened);
    },

    /** Its open tasks go to the Trash with it. */
    trashProject(id: string): void {
      const request = { method: 'DELETE', path: pathOf(id), body: null } as const;
      change(
        id,
        (project) => {
          const children = openTasksOf(id).map((task) => taskChange(task, { inTrash: true }));
          return [write(project, { inTrash: true }, request, children)];
        },
        commandWords.projectTrashed,
      );
    },

    /** The tasks that went to the Trash with it come back when the server has answered. */
    restoreProject(id: string): void {
      const request = { method: 'POST', path: `${appApiPath}/projects/${id}/restore`, body: null } as const;
      change(id, (project) => [write(project, { inTrash: false }, request)], commandWords.projectRestored);
    },

    /** Right behind the other project, or first; into the area of the place when one is given. */
    positionProject(id: string, after: string | null, areaId?: string | null): void {
      change(id, (project) => {
        const drafts: RecordDraft[] = [];
        if (areaId !== undefined && areaId !== project.areaId) {
          drafts.push(write(project, { areaId }, { method: 'PATCH', path: pathOf(id), body: { areaId } }));
        }
        const others = [...rows.projects.shown.values()].filter((other) => other.id !== id).sort(byRank);
        const path = `${appApiPath}/projects/${id}/position`;
        const request = { method: 'POST', path, body: { after, scope: 'list' } } as const;
        drafts.push(write(project, { rank: rankAfter(others, after) }, request));
        return drafts;
      });
    },
  };
}

function write(
  project: ProjectRow,
  set: Partial<ProjectRow>,
  request: Pick<RecordDraft, 'method' | 'path' | 'body'>,
  others: RowChange[] = [],
): RecordDraft {
  const values = new Map<string, unknown>(Object.entries(project));
  return {
    ...request,
    row: key(project.id),
    title: project.title,
    base: Object.fromEntries(Object.keys(request.body ?? {}).map((field) => [field, values.get(field)])),
    changes: [{ ...key(project.id), set }, ...others],
  };
}

function taskChange({ id }: TaskRow, set: Partial<TaskRow>): RowChange {
  return { entity: 'task', id, set };
}

function draftProject(id: string, input: NewProject, rank: number, now: Date): RecordDraft {
  const at = now.toISOString();
  const row: ProjectRow = {
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
    createdAt: at,
    updatedAt: at,
    rank,
  };
  return {
    method: 'POST',
    path: `${publicPath}/projects`,
    body: { ...input },
    row: key(id),
    creates: true,
    title: input.title,
    changes: [{ ...key(id), set: row }],
  };
}
