/** What keeps a service from serving. */
export type Obstacle = {
  /** For anybody who may ask: no address, no reason. */
  waitingFor: string;
  /** For the log: host and port at most, never a login or a password. The same words as long as nothing changes. */
  reason: string;
  /** PostgreSQL's or the system's name for it, which may differ from one try to the next. */
  code?: string;
  /** Time alone does not mend it. */
  needsOperator: boolean;
  /** What was thrown, where its words are ours. */
  error?: unknown;
};
