import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { serviceUnavailable } from '#shared/errors/errors.ts';

const runArgon2id = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, tag: Buffer) => void) =>
    argon2('argon2id', parameters, done),
);

/** Limits the memory and pool threads for concurrent hashes. */
const hashingQueue = new PQueue({ concurrency: 2 });
const longestQueue = 64;

async function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  if (hashingQueue.size >= longestQueue)
    throw serviceUnavailable(new Error('too many passwords are waiting to be hashed'), 2);
  return hashingQueue.add(() => runArgon2id(parameters));
}

/** Argon2id with 19 MiB and two passes: the minimum of OWASP's Password Storage Cheat Sheet. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;
const phcString =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** The PHC string of `password`. Runs on the thread pool. Throws service_unavailable when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await argon2id({ message: toBytes(password), nonce: salt, tagLength: tagBytes, ...cost });
  return toPhcString(salt, tag);
}

/** Matches no password, and verifying it takes as long as any other hash. */
export const unmatchableHash = toPhcString(randomBytes(saltBytes), randomBytes(tagBytes));

/** Whether `password` matches the PHC string, whatever its parameters. Throws as `hashPassword` does. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = phcString.exec(hash) ?? [];
  if (salt === undefined || tag === undefined)
    throw new Error('a stored password hash is not an argon2id PHC string');
  const expected = Buffer.from(tag, 'base64');
  const actual = await argon2id({
    message: toBytes(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

function toPhcString(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** Keyboards compose accented letters differently (NIST SP 800-63B §3.1.1.2: NFKC or NFKD). */
function toBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

/** Base64 without padding, as the PHC string format has it. */
function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}
