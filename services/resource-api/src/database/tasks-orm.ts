import { connectOrm, type DatabaseOptions } from '#shared/database/connect-orm.ts';
import { AreaEntity } from '../areas/area-entity.ts';
import { ProjectEntity } from '../projects/project-entity.ts';
import { SectionEntity } from '../projects/section-entity.ts';
import { TaskEntity } from '../tasks/task-entity.ts';

export function connectTasksDatabase(
  options: Pick<DatabaseOptions, 'url' | 'poolSize' | 'waitMilliseconds'>,
) {
  return connectOrm({
    ...options,
    role: 'resource_api',
    applicationName: 'resource-api',
    entities: [AreaEntity, ProjectEntity, SectionEntity, TaskEntity],
  });
}
