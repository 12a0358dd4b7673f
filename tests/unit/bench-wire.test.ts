import test from 'ava';
import { encodeRequest } from '#tools/bench/measure/http-request.ts';
import { createResponseReader } from '#tools/bench/measure/response-reader.ts';
import { readSentStatements, type SentStatement } from '#tools/bench/measure/sent-statements.ts';

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n',
];

for (const pieceLength of [1, 7, 1_000]) {
  test(`responses are read one after the other from pieces of ${pieceLength} bytes`, (t) => {
    const seen: [number, string][] = [];
    const read = createResponseReader(true, ({ status, body }) => seen.push([status, String(body)]));
    for (const answer of answers) {
      const bytes = Buffer.from(answer);
      for (let at = 0; at < bytes.length; at += pieceLength) read(bytes.subarray(at, at + pieceLength));
    }
    t.deepEqual(seen, [
      [200, 'hello'],
      [204, ''],
      [201, ''],
    ]);
  });
}

test('a response of unknown length is refused, and one that is longer than it says', (t) => {
  const readerOf = () => createResponseReader(false, () => undefined);
  t.throws(() => readerOf()(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')), {
    message: /Content-Length/,
  });
  t.throws(() => readerOf()(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab')), {
    message: /more/,
  });
});

test('a request says whom it is from and how long it is', (t) => {
  const text = String(
    encodeRequest({ method: 'POST', path: '/a?b', token: 'secret', address: '10.0.0.1', body: { ä: 1 } }),
  );
  const [head = '', body] = text.split('\r\n\r\n');
  t.is(body, '{"ä":1}');
  t.is(head.split('\r\n')[0], 'POST /a?b HTTP/1.1');
  for (const line of ['Authorization: Bearer secret', 'X-Forwarded-For: 10.0.0.1', 'Content-Length: 8']) {
    t.true(head.includes(`\r\n${line}`), line);
  }
});

/** PostgreSQL's messages, as a client sends them. */
const texts = (...parts: string[]) => Buffer.from(parts.map((part) => `${part}\0`).join(''));
const short = (value: number) => Buffer.of(value >> 8, value & 255);
const long = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const message = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), long(body.length + 4), body]);
};

test('statements and their values are read from what a client sends, prepared or not', (t) => {
  const bind = message(
    'B',
    texts('', 'kept'),
    short(3),
    ...[0, 1, 0].map(short),
    short(3),
    Buffer.concat([long(2), Buffer.from('ab'), long(1), Buffer.of(255), long(-1)]),
    short(0),
  );
  const sent = Buffer.concat([
    message('', long(196_608), texts('user', 'a', '')),
    message('Q', texts('begin')),
    message('P', texts('kept', 'select $1, $2, $3'), short(0)),
    bind,
    message('S'),
    bind,
  ]);
  for (const pieceLength of [1, sent.length]) {
    const seen: SentStatement[] = [];
    const hear = readSentStatements((statement) => seen.push(statement))();
    for (let at = 0; at < sent.length; at += pieceLength) hear(sent.subarray(at, at + pieceLength));
    const selected = { text: 'select $1, $2, $3', values: ['ab', '\\xff', null] };
    t.deepEqual(seen, [{ text: 'begin', values: [] }, selected, selected]);
  }
});
