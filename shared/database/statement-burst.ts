import type { PoolClient } from 'pg';
import type { DatabaseObserver } from './database-observer.ts';
import type { Statement } from './unanswered-statements.ts';

/** What is sent on one connection: a statement with those that were held before it. */
export type StatementBursts = {
  /** Keeps it until the next statement is sent. */
  hold(statement: Statement): void;
  /** Forgets what is held, and answers it. */
  takeHeld(): readonly Statement[];
  /**
   * Sends what is held and then, by `submit`, the statement of this text, all in one burst. Settles when everything is
   * answered, so that nothing is under way any more; rejects with the first failure, which is why those after it failed.
   */
  send<Answer>(text: string, submit: () => Promise<Answer>): Promise<Answer>;
};

export type StatementBurstOptions = {
  client: PoolClient;
  observer?: DatabaseObserver | undefined;
  submit(statement: Statement): Promise<unknown>;
};

export function createStatementBursts({ client, observer, submit }: StatementBurstOptions): StatementBursts {
  let held: Statement[] = [];

  function takeHeld(): Statement[] {
    const taken = held;
    held = [];
    return taken;
  }

  async function observe<Answer>(text: string, send: () => Promise<Answer>): Promise<Answer> {
    const answered = observer?.statementSent?.(text);
    try {
      const answer = await send();
      answered?.();
      return answer;
    } catch (failure) {
      answered?.(failure);
      throw failure;
    }
  }

  return {
    hold: (statement) => void held.push(statement),
    takeHeld,
    async send(text, submitLast) {
      if (held.length === 0) return await observe(text, submitLast);
      const { stream } = client.connection;
      stream.cork();
      const before = takeHeld().map((statement) => observe(statement.text, () => submit(statement)));
      const last = observe(text, submitLast);
      stream.uncork();
      const failed = (await Promise.allSettled([...before, last])).find(isRejected);
      if (failed !== undefined) throw failed.reason;
      return await last;
    },
  };
}

function isRejected(outcome: PromiseSettledResult<unknown>): outcome is PromiseRejectedResult {
  return outcome.status === 'rejected';
}
