import { object } from 'yup';
import { closedObject, shownTimestamp, title, uuid } from '#shared/validation/fields.ts';
import { longestTitle } from '#shared/validation/text-limits.ts';
import { pagingParameters } from '../http/page.ts';

const areaTitle = () => title(longestTitle).meta({ description: 'Title of the area.', example: 'Home' });
export const areaCreateBody = closedObject({ title: areaTitle().defined() }).meta({
  schemaName: 'AreaCreate',
});

export const areaPatchBody = closedObject({ title: areaTitle() }).meta({
  schemaName: 'AreaPatch',
  description: 'A merge patch: an omitted member stays as it is.',
});

export const areaResponse = object({
  id: uuid().defined().meta({ description: 'Identifies the area.' }),
  title: areaTitle().defined(),
  createdAt: shownTimestamp('When the area was created.'),
  updatedAt: shownTimestamp('When the area last changed.'),
}).meta({ schemaName: 'Area', description: 'Groups projects, and nothing else.' });

export const areaListQuery = object(pagingParameters);
