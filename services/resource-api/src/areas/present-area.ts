import type { InferType } from 'yup';
import type { Area } from './area-entity.ts';
import type { areaResponse } from './area-schema.ts';

/** An area as an entity has it or as a read finds it: instants are Dates there and texts here. */
export type PresentableArea = Pick<Area, 'id' | 'title'> & {
  createdAt: Date | string;
  updatedAt: Date | string;
};

export function presentArea(area: PresentableArea): InferType<typeof areaResponse> {
  return {
    id: area.id,
    title: area.title,
    createdAt: new Date(area.createdAt).toISOString(),
    updatedAt: new Date(area.updatedAt).toISOString(),
  };
}
