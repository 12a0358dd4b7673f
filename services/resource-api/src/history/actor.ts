import type { AppActor } from '#shared/app/app-protocol.ts';
import type { Principal } from '../auth/principal.ts';

/** The actor of a transaction, as stored in the history. */
export type Actor = AppActor & {
  /** The transactions of one call of a tool, or of one command of the web app, belong together. */
  callId?: string;
  isUndo?: boolean;
};

export function actorOf({ kind, credentialId, tokenName, callId }: Principal): Actor {
  return { kind, id: credentialId, name: tokenName, ...(callId !== undefined && { callId }) };
}
