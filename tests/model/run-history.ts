import { type AccountState, newAccount } from './account-state.ts';
import { chooseIds } from './chosen-operations.ts';
import { accountDifferences } from './compare-account.ts';
import { type FeedRow, momentDifferences, type Write } from './compare-moments.ts';
import { observeAccount, readList } from './observed-account.ts';
import type { Answer, Operation } from './operation.ts';
import { applyOperation } from './reference-model.ts';
import { dateIn } from './repeating-series.ts';
import { requestFor, type Send, type WireResponse } from './send-operation.ts';
import { asText, expectedOf, saidOf, type Wire, type WireNames } from './wire-names.ts';

/** One empty account of the service, through its front door, and what only its operator can do or see. */
export type HistoryAccount = {
  plan: 'free' | 'premium';
  send: Send;
  changeAccount(change: { plan?: 'free' | 'premium'; timezone?: string }): Promise<void>;
  readFeed(): Promise<FeedRow[]>;
  now(): Date;
};

/** The service and the model went apart. Its message tells the history up to there. */
class HistoryDiffers extends Error {
  constructor(history: readonly string[], differences: readonly string[]) {
    super(`${differences.join('\n')}\nafter\n${history.join('\n')}`);
    this.name = 'HistoryDiffers';
  }
}

/** Runs a history against the service and the model; throws HistoryDiffers. Returns the number of operations. */
export async function runHistory(account: HistoryAccount, wanted: readonly Operation[]): Promise<number> {
  const names = new Map<string, string>();
  const history: string[] = [];
  const writes: Write[] = [];
  let state = newAccount(account.plan);
  const today = () => dateIn(state.timezone, account.now());
  for (const choice of wanted) {
    const operation = chooseIds(state, choice);
    const applied = applyOperation(state, operation, today());
    const response = await perform(account, operation, names);
    history.push(`${asText(operation)} → ${response.status}`);
    bindCreated(names, applied.answer, response);
    await bindOccurrence(account.send, names, applied.changes, response);
    state = applied.state;
    const differences = answerDifferences(state, names, applied.answer, response);
    if (differences.length > 0) throw new HistoryDiffers(history, differences);
    if (applied.changes.length > 0) writes.push({ tick: state.tick, changes: applied.changes });
  }
  const observed = await observeAccount(account.send);
  const differences = [
    ...accountDifferences(state, names, observed, today()),
    ...momentDifferences(state, names, observed, await account.readFeed(), writes),
  ];
  if (differences.length > 0) throw new HistoryDiffers(history, differences);
  return wanted.length;
}

function perform(account: HistoryAccount, operation: Operation, names: WireNames): Promise<WireResponse> {
  if (operation.do !== 'change account') return account.send(requestFor(operation, names));
  const { do: _, ...change } = operation;
  return account.changeAccount(change).then(() => ({ status: 200, body: undefined }));
}

function bindCreated(names: Map<string, string>, { status, shows }: Answer, { body }: WireResponse): void {
  if (status === 201 && shows) names.set(shows.id, (body as Wire['task'] | undefined)?.id ?? 'none');
}

/** A completion of a repeating task makes a second task, which a mirror finds by what has changed since. */
async function bindOccurrence(
  send: Send,
  names: Map<string, string>,
  changes: Write['changes'],
  { status, body }: WireResponse,
): Promise<void> {
  const unnamed = changes.find(
    ({ kind, id, change }) => kind === 'task' && change === 'created' && !names.has(id),
  );
  if (unnamed === undefined || status !== 200) return;
  const { updatedAt } = body as Wire['task'];
  const known = new Set(names.values());
  const changed = await readList<Wire['task']>(send, `/tasks?view=all&updatedSince=${updatedAt}`);
  const made = changed.find(({ id }) => !known.has(id));
  if (made) names.set(unnamed.id, made.id);
}

/** How an answer differs from the model's; empty when it does not. */
function answerDifferences(
  state: AccountState,
  names: WireNames,
  { status, errorCode, fault, shows }: Answer,
  response: WireResponse,
): string[] {
  const expected = `${status} ${errorCode ?? ''}`;
  const { errorCode: code, errors } = (response.body ?? {}) as { errorCode?: string; errors?: object };
  const answered = `${response.status} ${code ?? ''}`;
  if (expected !== answered) return [`expected ${expected}, answered ${answered} ${asText(response.body)}`];
  if (fault !== undefined && !(fault in (errors ?? {})))
    return [`${fault} is not named in ${asText(errors)}`];
  if (shows === undefined) return [];
  const wanted = asText(expectedOf(state, names, shows.kind, shows.id));
  const said = asText(saidOf(shows.kind, response.body as Wire['task']));
  return wanted === said ? [] : [`expected ${wanted}, answered ${said}`];
}
