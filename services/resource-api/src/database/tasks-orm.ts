import { connectOrm, type DatabaseOptions } from '#shared/database/connect-orm.ts';
import { AreaEntity } from '../areas/area-entity.ts';
import { ProjectEntity } from '../projects/project-entity.ts';
import { SectionEntity } from '../projects/section-entity.ts';
import { TaskEntity } from '../tasks/task-entity.ts';

export const resourceApiRole = 'resource_api';

export function connectTasksDatabase(
  options: Omit<DatabaseOptions, 'role' | 'applicationName' | 'entities'>,
) {
  return connectOrm({
    ...options,
    role: resourceApiRole,
    applicationName: 'resource-api',
    entities: [AreaEntity, ProjectEntity, SectionEntity, TaskEntity],
  });
}
