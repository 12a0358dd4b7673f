import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import { findDatabaseObstacle, type RequiredSchema } from './database-obstacle.ts';
import type { Obstacle } from './obstacle.ts';

/** What no request can do without: the first thing that is read. */
export type FirstData = {
  /** As readiness and the log call it. */
  name: string;
  load(): Promise<void>;
};

export type StartRequirements = { requiredSchema: RequiredSchema; firstData: FirstData };

/** What keeps the service from serving; once nothing does, its first data are loaded. */
export async function findStartObstacle(required: StartRequirements): Promise<Obstacle | undefined> {
  const { requiredSchema, firstData } = required;
  const obstacle = await findDatabaseObstacle(requiredSchema);
  if (obstacle) return obstacle;
  try {
    await firstData.load();
    return undefined;
  } catch (error) {
    const reason = 'what is read first could not be read';
    return { waitingFor: firstData.name, reason, needsOperator: !isDatabaseUnavailable(error), error };
  }
}
