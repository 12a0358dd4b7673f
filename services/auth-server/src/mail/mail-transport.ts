import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from '#shared/logging/logger.ts';

/** `unsubscribeUrl`: takes a POST without cookies (RFC 8058). */
export type MailMessage = {
  to: string;
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl?: string;
};

/** `smtp`: sent to a server. `directory`: written as files, for a local service. */
export type MailSettings = { from: string } & (
  | { kind: 'smtp'; url: string }
  | { kind: 'directory'; directory: string }
);

type MailTransport = {
  /** `id` becomes the Message-ID, so that a message sent twice by a crash is one to its receiver. */
  send(message: MailMessage, id: string): Promise<void>;
  close(): void;
};

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

export function createMailTransport(settings: MailSettings, host: string, logger: Logger): MailTransport {
  const envelope = ({ unsubscribeUrl, ...message }: MailMessage, id: string) => ({
    ...message,
    // As an object: a string could be parsed as a list of addresses.
    to: { name: '', address: message.to },
    from: settings.from,
    messageId: `<${id}@${host}>`,
    // RFC 3834 §5: no automatic reply to it.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }),
  });
  if (settings.kind === 'smtp') {
    const smtp = createTransport({ url: settings.url, ...timeouts });
    return {
      async send(message, id) {
        await smtp.sendMail(envelope(message, id));
      },
      close: () => smtp.close(),
    };
  }
  const { directory } = settings;
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(message, id) {
      const { message: source } = await composer.sendMail(envelope(message, id));
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const file = path.join(directory, `${new Date().toISOString().replaceAll(':', '-')}-${id}.eml`);
      writeFileSync(file, source.toString(), { mode: 0o600 });
      logger.info({ file, subject: message.subject }, 'mail was kept as a file');
    },
    close: () => composer.close(),
  };
}
