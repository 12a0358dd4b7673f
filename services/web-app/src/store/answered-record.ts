/** What the tab that gave the command wants to know of its answer. */
export type AnsweredRecord = {
  n: number;
  command: string;
  body: unknown;
};
