import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { JSONParser } from '@streamparser/json';
import { AppError } from '#shared/errors/app-error.ts';
import { type FileList, fileLists } from './file-format.ts';

/** A member of the document, or a record of one of its lists, and the line on which it ends. */
export type FileEntry =
  | { kind: 'member'; name: string; value: unknown; line: number }
  | { kind: 'record'; list: FileList; index: number; value: unknown; line: number };

/** Longer than a project with all its sections, at the longest spelling of its texts. */
const longestRecord = 16 * 1024 * 1024;
const longestFile = 1024 * 1024 * 1024;
/** Untrusted names of members. */
const longestMessage = 300;
const pieceLength = 32 * 1024;
/** Between yields to other requests. */
const busyMilliseconds = 10;

const members = ['format', 'version', 'exportedAt', 'counts', 'account'];

/** An error of the file with its line, shown to the user. */
export function fileError(line: number, place: string, message: string): AppError {
  const shown = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
  return new AppError('validation_error', {
    message: `Line ${line}: ${shown}.`,
    errors: { [place.slice(0, longestMessage)]: [shown] },
  });
}

/** Reads a file piece by piece; memory holds one record. Throws validation_error. */
export async function* readAccountFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry[]> {
  const parser = createFileParser();
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let yieldedAt = performance.now();
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > longestFile) throw parser.malformed('the file is larger than 1 GiB');
    for (const piece of piecesOf(decode(utf8, chunk, parser.malformed))) {
      const entries = parser.write(piece);
      if (entries.length > 0) yield entries;
      if (performance.now() - yieldedAt > busyMilliseconds) {
        await yieldToOthers();
        yieldedAt = performance.now();
      }
    }
  }
  if (bytes === 0) throw parser.malformed('the file is empty');
  parser.end();
}

/** Finds records in text that comes in pieces, each at most one line. */
function createFileParser() {
  const parser = new JSONParser({
    paths: [...members.map((name) => `$.${name}`), ...fileLists.map((list) => `$.${list}.*`)],
    keepStack: false,
  });
  let entries: FileEntry[] = [];
  let line = 1;
  let lengthSinceEntry = 0;
  const malformed = (what: string) => fileError(line, 'file', what);
  parser.onValue = ({ value, key, stack }) => {
    lengthSinceEntry = 0;
    const list = fileLists.find((name) => name === stack[1]?.key);
    if (list === undefined) entries.push({ kind: 'member', name: String(key), value, line });
    else if (typeof key === 'number') entries.push({ kind: 'record', list, index: key, value, line });
    else throw fileError(line, list, `${list} must be a list`);
  };
  return {
    malformed,
    write(piece: string): FileEntry[] {
      entries = [];
      try {
        parser.write(piece);
      } catch (error) {
        throw error instanceof AppError ? error : malformed(`this is not valid JSON; ${onlyExports}`);
      }
      lengthSinceEntry += piece.length;
      if (lengthSinceEntry > longestRecord) throw malformed('a record is larger than 16 MiB');
      if (piece.endsWith('\n')) line += 1;
      return entries;
    },
    end(): void {
      if (!parser.isEnded) throw malformed('the file ends too early');
    },
  };
}

const onlyExports = 'only a file that was exported here can be imported';

function decode(utf8: TextDecoder, chunk: Uint8Array, malformed: (what: string) => AppError): string {
  try {
    return utf8.decode(chunk, { stream: true });
  } catch {
    throw malformed(`the file is not valid UTF-8; ${onlyExports}`);
  }
}

/** Pieces end at a line break or have the maximum length. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = Math.min(newline < 0 ? text.length : newline + 1, start + pieceLength);
    yield text.slice(start, end);
    start = end;
  }
}
