import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';

type RequestBudget = { leftMilliseconds: number };

/** Follows a request through everything that it awaits; holds nothing by itself. */
const budgets = new AsyncLocalStorage<RequestBudget>();

/** From here on a request may wait so long for the database, whatever it asks it and how often. */
export function limitDatabaseTime(milliseconds: number): RequestHandler {
  return (_req, res, next) => {
    const budget = { leftMilliseconds: milliseconds };
    // What a request has started and leaves behind, such as a timer, is no longer its own.
    res.once('close', () => {
      budget.leftMilliseconds = Number.POSITIVE_INFINITY;
    });
    budgets.run(budget, next);
  };
}

/** Runs `work` with a budget of its own in place of the request's. */
export function withDatabaseTime<Result>(milliseconds: number, work: () => Result): Result {
  return budgets.run({ leftMilliseconds: milliseconds }, work);
}

/** Runs `work` as nobody's request. */
export function withoutRequestBudget<Result>(work: () => Result): Result {
  return budgets.exit(work);
}

/** Milliseconds that the request under way may still wait; infinite outside of requests, negative when overdrawn. */
export function databaseTimeLeft(): number {
  return budgets.getStore()?.leftMilliseconds ?? Number.POSITIVE_INFINITY;
}

/** Waits at the expense of the request under way. Several waits at once are all paid. */
export async function spendDatabaseTime<Result>(wait: () => Promise<Result>): Promise<Result> {
  const budget = budgets.getStore();
  const startedAt = performance.now();
  try {
    return await wait();
  } finally {
    if (budget !== undefined) budget.leftMilliseconds -= performance.now() - startedAt;
  }
}
