import type { ToastText } from '../words/command-words.ts';
import type { RecordDraft } from './outbox-record.ts';
import type { Rows } from './rows.ts';

/** The writes of one command: one toast, one step of undo. */
export type CommandResult = {
  drafts: RecordDraft[];
  /** The text of a toast with Undo; null: none. */
  toast: ToastText | null;
};

export type CommandContext = {
  rows: Rows;
  today(): string;
  now(): Date;
  /** Commands run one after another: each sees what the one before it wrote. */
  run(build: () => CommandResult): void;
};

/** `base`: the value shown when typing began, if known. */
export function onBase(draft: RecordDraft, base: object): RecordDraft {
  const known = Object.entries(base).filter(([, value]) => value !== undefined);
  return { ...draft, base: { ...draft.base, ...Object.fromEntries(known) } };
}
