import type { ServerResponse } from 'node:http';
import { serviceUnavailable } from '#shared/errors/errors.ts';

/** How much of the answers may wait to be taken by whoever asked: slow readers are not to fill the process. */
export type AnswerRoom = {
  /** Throws service_unavailable while the account's room is full, or that of all and the account has a part in it. */
  require(accountId: string): void;
  /** Notes an answer, or a further part of one, until it is out or its connection is gone. */
  take(accountId: string, res: ServerResponse, bytes: number): void;
};

/** For an account several of the largest pages (`database/page-texts.ts`), for all what the image has memory for. */
const defaultSizes = { bytesPerAccount: 24_000_000, bytesOfAll: 96_000_000 };
/** What is smaller is out, or as good as, before it could be counted. */
const countedBytes = 65_536;

export function createAnswerRoom({ bytesPerAccount, bytesOfAll } = defaultSizes): AnswerRoom {
  const waitingBytes = new Map<string, number>();
  const answers = new WeakMap<ServerResponse, number>();
  let waitingOfAll = 0;

  function add(accountId: string, bytes: number): void {
    waitingOfAll += bytes;
    const sum = (waitingBytes.get(accountId) ?? 0) + bytes;
    if (sum > 0) waitingBytes.set(accountId, sum);
    else waitingBytes.delete(accountId);
  }

  return {
    require(accountId) {
      const own = waitingBytes.get(accountId) ?? 0;
      if (own === 0 || (own < bytesPerAccount && waitingOfAll < bytesOfAll)) return;
      throw serviceUnavailable(new Error('earlier answers of the account have not been taken yet'));
    },
    take(accountId, res, bytes) {
      if (bytes < countedBytes || res.closed) return;
      const before = answers.get(res);
      if (before === undefined) res.once('close', () => add(accountId, -(answers.get(res) ?? 0)));
      answers.set(res, (before ?? 0) + bytes);
      add(accountId, bytes);
    },
  };
}
