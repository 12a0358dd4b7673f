/** A defence, how to remove it (`from`, once in `file`, becomes `to`), and the test that must fail then. */
export type Guard = { promise: string; file: string; from: string; to: string; test: string };
