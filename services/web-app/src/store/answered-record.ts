import type { RowKey } from './row-types.ts';

/** What the tab that gave the command wants to know of its answer. */
export type AnsweredRecord = {
  n: number;
  command: string;
  /** `changed_at` of its transactions; empty when the answer does not tell. */
  stamps: readonly string[];
  body: unknown;
};

/** The stamp of a row that was sent on an earlier version, where the change was ours. */
export type OwnStamps = (key: RowKey, stamp: string, sentOn: string) => readonly string[];
