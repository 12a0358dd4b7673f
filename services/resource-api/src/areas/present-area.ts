import type { InferType } from 'yup';
import { type Instant, presentInstant } from '../http/present-instant.ts';
import type { Area } from './area-entity.ts';
import type { areaResponse } from './area-schema.ts';

/** An area as an entity has it or as a read finds it: instants are Dates there and texts here. */
export type PresentableArea = Pick<Area, 'id' | 'title'> & {
  createdAt: Instant;
  updatedAt: Instant;
};

export function presentArea(area: PresentableArea): InferType<typeof areaResponse> {
  return {
    id: area.id,
    title: area.title,
    createdAt: presentInstant(area.createdAt),
    updatedAt: presentInstant(area.updatedAt),
  };
}
