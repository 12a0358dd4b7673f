import type { InferType } from 'yup';
import { shownMembers } from '../http/shown-members.ts';
import type { ProjectWithSections } from './project-entity.ts';
import { projectResponse, sectionResponse } from './project-schema.ts';

const shown = shownMembers(projectResponse);

export function presentProject({
  project,
  sections,
}: ProjectWithSections): InferType<typeof projectResponse> {
  return { ...shown(project), inTrash: project.trashedAt !== null, sections: sections.map(presentSection) };
}

export const presentSection = shownMembers(sectionResponse);
