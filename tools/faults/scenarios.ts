import type { Scenario } from './scenario.ts';
import { authServerAway, coldStart } from './scenarios/auth-server-away.ts';
import { browsersConverge } from './scenarios/browsers-converge.ts';
import { commitReplyLost } from './scenarios/commit-reply-lost.ts';
import {
  databaseFrozen,
  databaseReadOnly,
  databaseRestartFast,
  databaseRestartImmediate,
} from './scenarios/database.ts';
import { hostileAccount } from './scenarios/hostile-account.ts';
import { keyRotation } from './scenarios/key-rotation.ts';
import { limitsOnBusyMachine, redisAwayForMinute } from './scenarios/limits.ts';
import { migrationWhileServing, twoMigrations } from './scenarios/migrations.ts';
import { mirrorUnderFaults } from './scenarios/mirror-under-faults.ts';
import { poolExhausted } from './scenarios/pool-exhausted.ts';
import { killResourceApi, rollingRestart, stopWithRequestUnderWay } from './scenarios/processes.ts';
import { redisEmptied, redisFrozen, redisStopped } from './scenarios/redis.ts';
import { revocation } from './scenarios/revocation.ts';
import { shownAtOnce } from './scenarios/shown-at-once.ts';

/** In the order in which they run and are shown. */
export const scenarios: readonly Scenario[] = [
  databaseFrozen,
  databaseRestartFast,
  databaseRestartImmediate,
  databaseReadOnly,
  poolExhausted,
  hostileAccount,
  commitReplyLost,
  redisStopped,
  redisAwayForMinute,
  redisFrozen,
  redisEmptied,
  revocation,
  limitsOnBusyMachine,
  killResourceApi,
  stopWithRequestUnderWay,
  rollingRestart,
  authServerAway,
  coldStart,
  keyRotation,
  twoMigrations,
  migrationWhileServing,
  mirrorUnderFaults,
  browsersConverge,
  shownAtOnce,
];
