import type { WireTap } from './wire-counter.ts';

/** A statement as it went to PostgreSQL. Values are in their text form; what was sent as bytes, as bytea's. */
export type SentStatement = { text: string; values: readonly (string | null)[] };

type Message = { type: string; body: Buffer };

/** Reads the frontend messages of PostgreSQL's protocol (PostgreSQL, 54.7) and tells of each statement that is run. */
export function readSentStatements(onStatement: (statement: SentStatement) => void): WireTap {
  return () => {
    const texts = new Map<string, string>();
    const takeMessages = createMessageReader();
    return (bytes) => {
      for (const { type, body } of takeMessages(bytes)) readMessage(type, body, texts, onStatement);
    };
  };
}

/** Cuts what a client sends into messages: a type, a length that counts itself, a body. The first has no type. */
function createMessageReader(): (bytes: Buffer) => Message[] {
  let rest: Buffer = Buffer.of();
  let typeLength = 0;
  return (bytes) => {
    const messages: Message[] = [];
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readInt32BE(typeLength);
      if (rest.length < end) break;
      messages.push({
        type: rest.toString('latin1', 0, typeLength),
        body: rest.subarray(typeLength + 4, end),
      });
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return messages;
  };
}

function readMessage(
  type: string,
  body: Buffer,
  texts: Map<string, string>,
  onStatement: (statement: SentStatement) => void,
): void {
  const reader = createReader(body);
  if (type === 'Q') onStatement({ text: reader.text(), values: [] });
  if (type === 'P') texts.set(reader.text(), reader.text());
  if (type !== 'B') return;
  reader.text();
  const text = texts.get(reader.text()) ?? '';
  const formats = Array.from({ length: reader.short() }, () => reader.short());
  const values = Array.from({ length: reader.short() }, (_, index) =>
    reader.value(formats.length > 1 ? formats[index] === 1 : formats[0] === 1),
  );
  onStatement({ text, values });
}

function createReader(body: Buffer) {
  let at = 0;
  return {
    text(): string {
      const end = body.indexOf(0, at);
      const text = body.toString('utf8', at, end);
      at = end + 1;
      return text;
    },
    short(): number {
      at += 2;
      return body.readInt16BE(at - 2);
    },
    value(isBinary: boolean): string | null {
      const length = body.readInt32BE(at);
      at += 4;
      if (length < 0) return null;
      at += length;
      const bytes = body.subarray(at - length, at);
      return isBinary ? `\\x${bytes.toString('hex')}` : bytes.toString();
    },
  };
}
