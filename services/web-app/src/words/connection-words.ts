import { historyDays } from '#shared/app/app-protocol.ts';
import { capital } from './capital.ts';

export const connectionWords = {
  connect: 'Connect an assistant',
  hint: 'Give it this address. It brings you here, where you decide what it may do.',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Press Ctrl+C',
  connected: 'Connected',
  ownWord: 'By the names and logos they gave themselves: we have not checked them.',
  waiting: 'Waiting for the first connection…',
  lastDeed: (deed: string, when: string) => `${capital(deed)}, ${when}`,
  noDeed: `No changes in the last ${historyDays} days`,
  used: (when: string) => `last used ${when}`,
  neverUsed: 'never used',
  describedBy: (host: string) => `described by ${host}`,
  history: 'What they changed',
  manage: 'Permissions and disconnecting',
  needsConnection: 'Needs a connection.',
};
