import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { type OwnStackOptions, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type ReceivedMail = { to: string[]; source: string };

type MailServer = {
  url: string;
  received: ReceivedMail[];
  /** What was sent and not answered. */
  held: ReceivedMail[];
  /** Accepts nothing until the returned function is called. */
  pause(): () => void;
  /** The next delivery to the address is neither accepted nor refused. */
  holdOnce(address: string): void;
  /** The next delivery to the address fails with this code. */
  refuseOnce(address: string, code: number): void;
  /** The newest message to the address, decoded as far as quoted-printable goes. */
  mailTo(address: string, subject?: string): Promise<string>;
  /** The path of the link in it. */
  linkTo(address: string, subject: string): Promise<string>;
  close(): Promise<void>;
};

/** An SMTP server without encryption or login. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const held: ReceivedMail[] = [];
  const toBeHeld = new Set<string>();
  const refusals = new Map<string, number>();
  let paused = Promise.resolve();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      void text(stream).then(async (source) => {
        await paused;
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const [first = ''] = to;
        if (toBeHeld.delete(first)) return void held.push({ to, source });
        const responseCode = refusals.get(first);
        refusals.delete(first);
        if (responseCode !== undefined) return done(Object.assign(new Error('not now'), { responseCode }));
        received.push({ to, source });
        done();
      });
    },
  });
  async function mailTo(address: string, subject = ''): Promise<string> {
    const mail = await waitFor(
      () => received.findLast(({ to, source }) => to.includes(address) && decode(source).includes(subject)),
      { timeoutMilliseconds: 30_000, what: `mail to ${address}` },
    );
    return decode(mail.source);
  }

  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    held,
    pause() {
      const { promise, resolve } = Promise.withResolvers<void>();
      paused = promise;
      return resolve;
    },
    holdOnce: (address) => void toBeHeld.add(address),
    refuseOnce: (address, code) => void refusals.set(address, code),
    mailTo,
    async linkTo(address, subject) {
      const message = await mailTo(address, subject);
      const [link] = /\/sign-(?:in|up)\/[\w/-]+\?link=\S+/.exec(message) ?? [];
      if (link === undefined) throw new Error(`no link in ${message}`);
      return link;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An SMTP server, and services that send their mail there. */
export async function startStackWithMail({ environment = {}, ...options }: Partial<OwnStackOptions> = {}) {
  const mail = await startMailServer();
  const sending = { SMTP_URL: mail.url, MAIL_FROM: 'Tasks <tasks@example.com>', ...environment };
  const stack = await startStack(undefined, { ...options, withAuthServer: true, environment: sending });
  const close = async (): Promise<void> => {
    await stack.close();
    await mail.close();
  };
  return { mail, stack, close };
}

function decode(source: string): string {
  const bytes = source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
