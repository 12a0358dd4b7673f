import type { InferType } from 'yup';
import type { ProjectWithSections, Section } from './project-entity.ts';
import type { projectResponse, sectionResponse } from './project-schema.ts';

export function presentProject({
  project,
  sections,
}: ProjectWithSections): InferType<typeof projectResponse> {
  return {
    id: project.id,
    title: project.title,
    description: project.description,
    descriptionHtml: project.descriptionHtml,
    status: project.status,
    areaId: project.areaId,
    deadlineDate: project.deadlineDate,
    inTrash: project.trashedAt !== null,
    sections: sections.map(presentSection),
    completedAt: project.completedAt,
    cancelledAt: project.cancelledAt,
    createdAt: project.createdAt,
    updatedAt: project.updatedAt,
  };
}

export function presentSection(section: Section): InferType<typeof sectionResponse> {
  return {
    id: section.id,
    projectId: section.projectId,
    title: section.title,
    createdAt: section.createdAt,
    updatedAt: section.updatedAt,
  };
}
