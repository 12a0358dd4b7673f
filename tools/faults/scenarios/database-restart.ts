import { databaseRestart } from '../database-restart.ts';

export const databaseRestartFast = databaseRestart('fast');
export const databaseRestartImmediate = databaseRestart('immediate');
