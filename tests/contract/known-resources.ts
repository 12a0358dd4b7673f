import { randomUUID } from 'node:crypto';
import type { Task } from '#tests/support/api-types.ts';
import type { FilledRequest } from './fuzz-request.ts';

export type Answer = { status: number; headers: Headers; body: unknown };

/** What the fuzzer knows of an account from the answers it got. */
export type KnownResources = {
  /** By id, as it was last seen; undefined when something else has changed it since. */
  tasks: Map<string, Task | undefined>;
  projects: Map<string, 'active' | 'closed'>;
  /** By id, the project it belongs to. */
  sections: Map<string, string>;
  areas: Set<string>;
  /** Ids of what is gone for good, or answers as if it were. */
  gone: Record<'task' | 'project' | 'section' | 'area', string[]>;
};

export function createKnownResources(): KnownResources {
  const never = (): string[] => [randomUUID()];
  return {
    tasks: new Map(),
    projects: new Map(),
    sections: new Map(),
    areas: new Set(),
    gone: { task: never(), project: never(), section: never(), area: never() },
  };
}

/** Notes what a request that succeeded has changed. */
export function noteChange(known: KnownResources, request: FilledRequest, answer: Answer): void {
  if (answer.status >= 300) return;
  const id = String(request.path.id).toLowerCase();
  const sectionId = String(request.path.sectionId).toLowerCase();
  const body = typeof answer.body === 'object' ? (answer.body as Record<string, unknown>) : undefined;
  const changes: Readonly<Record<string, () => void>> = {
    createProject: () => known.projects.set(String(body?.id), 'active'),
    completeProject: () => close(known, id),
    uncompleteProject: () => known.projects.set(id, 'active'),
    deleteProject: () => removeProject(known, id),
    createSection: () => known.sections.set(String(body?.id), id),
    deleteSection: () => removeSection(known, sectionId),
    createArea: () => known.areas.add(String(body?.id)),
    deleteArea: () => known.areas.delete(id) && known.gone.area.push(id),
    trashTask: () => known.tasks.set(id, undefined),
  };
  changes[request.operation.id]?.();
  if (body !== undefined && 'checklist' in body) known.tasks.set(String(body.id), body as Task);
}

function close(known: KnownResources, id: string): void {
  known.projects.set(id, 'closed');
  forgetTasks(known, id);
}

function removeProject(known: KnownResources, id: string): void {
  known.projects.delete(id);
  known.gone.project.push(id);
  for (const [sectionId, projectId] of known.sections) if (projectId === id) removeSection(known, sectionId);
  forgetTasks(known, id);
}

function removeSection(known: KnownResources, id: string): void {
  known.sections.delete(id);
  known.gone.section.push(id);
}

function forgetTasks(known: KnownResources, projectId: string): void {
  for (const [id, task] of known.tasks) if (task?.projectId === projectId) known.tasks.set(id, undefined);
}
