import { connect } from 'node:net';
import { canListen } from './free-port.ts';

class PortTakenError extends Error {
  constructor(port: number) {
    super(`Port ${port} is already in use: stop what listens there, or set PORT to another one.`);
    this.name = 'PortTakenError';
  }
}

/**
 * Those of the hosts that this machine has (not every one has IPv6).
 * Throws PortTakenError when anything listens on the port of one of them.
 */
export async function availableAddresses(port: number, hosts: readonly string[]): Promise<string[]> {
  const available: string[] = [];
  for (const host of hosts) {
    // Where a server listens on every address, some systems let another one take a single address from it.
    if (await answers(port, host)) throw new PortTakenError(port);
    try {
      if (!(await canListen(port, host))) throw new PortTakenError(port);
      available.push(host);
    } catch (error) {
      if (!isMissingAddress(error) || hosts.length === 1) throw error;
    }
  }
  return available;
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

function isMissingAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
  );
}
