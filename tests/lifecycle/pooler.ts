import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { findFreePort } from '#local/free-port.ts';

type Owner = { teardown(end: () => void): void };

/** As PgBouncer without settings, or with `ignore_startup_parameters = options`. The URL through it. */
export async function openPooler(owner: Owner, databaseUrl: string, treats: 'refuses' | 'ignores') {
  const url = new URL(databaseUrl);
  const { port, hostname } = url;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    client.once('data', (startup) => {
      if (treats === 'refuses') return client.end(refusal());
      const database = connect(Number(port), hostname, () =>
        database.write(withoutOptions(Buffer.from(startup as Buffer))),
      );
      database.on('error', () => client.destroy());
      client.pipe(database).pipe(client);
    });
  });
  url.port = String(await findFreePort());
  await once(server.listen(Number(url.port), hostname), 'listening');
  owner.teardown(() => void server.close());
  return url.href;
}

/** StartupMessage: length, version, then names and values that end with zero bytes. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0');
  const at = words.indexOf('options');
  const kept = Buffer.from(words.toSpliced(at, 2).join('\0'));
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(8 + kept.length);
  return Buffer.concat([head, kept]);
}

/** ErrorResponse. */
function refusal(): Buffer {
  const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
