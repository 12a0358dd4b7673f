import type { InferType } from 'yup';
import { type Instant, presentInstant, presentOptionalInstant } from '../http/present-instant.ts';
import { type PresentableSection, presentSection } from './present-section.ts';
import type { Project } from './project-entity.ts';
import type { projectResponse } from './project-schema.ts';

type Plain = 'id' | 'title' | 'description' | 'descriptionHtml' | 'status' | 'areaId' | 'deadlineDate';

/** A project as an entity has it or as a read finds it: instants are Dates there and texts here. */
export type PresentableProject = Pick<Project, Plain> & {
  trashedAt?: Instant | null;
  completedAt?: Instant | null;
  cancelledAt?: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

/** `sections` in display order. */
export type ProjectWithSections = { project: PresentableProject; sections: readonly PresentableSection[] };

export function presentProject({
  project,
  sections,
}: ProjectWithSections): InferType<typeof projectResponse> {
  return {
    id: project.id,
    title: project.title,
    description: project.description ?? null,
    descriptionHtml: project.descriptionHtml,
    status: project.status,
    areaId: project.areaId ?? null,
    deadlineDate: project.deadlineDate ?? null,
    inTrash: project.trashedAt != null,
    sections: sections.map(presentSection),
    completedAt: presentOptionalInstant(project.completedAt),
    cancelledAt: presentOptionalInstant(project.cancelledAt),
    createdAt: presentInstant(project.createdAt),
    updatedAt: presentInstant(project.updatedAt),
  };
}
