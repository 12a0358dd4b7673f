/** The result of a response for the tab that issued the command. */
export type AnsweredRecord = {
  n: number;
  command: string;
  body: unknown;
};
