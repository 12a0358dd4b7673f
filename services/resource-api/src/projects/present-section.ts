import type { InferType } from 'yup';
import { type Instant, presentInstant } from '../http/present-instant.ts';
import type { Section } from './section-entity.ts';
import type { sectionResponse } from './section-schema.ts';

/** A section as an entity has it or as a read finds it: instants are Dates there and texts here. */
export type PresentableSection = Pick<Section, 'id' | 'projectId' | 'title'> & {
  createdAt: Instant;
  updatedAt: Instant;
};

export function presentSection(section: PresentableSection): InferType<typeof sectionResponse> {
  return {
    id: section.id,
    projectId: section.projectId,
    title: section.title,
    createdAt: presentInstant(section.createdAt),
    updatedAt: presentInstant(section.updatedAt),
  };
}
