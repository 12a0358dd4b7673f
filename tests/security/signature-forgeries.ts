import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendSignature, signWith, type ValidToken, writeToken } from './written-token.ts';

/** The order of P-256 and the x coordinate of its generator (SP 800-186 §3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const generatorX = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n;
const field = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;

/** A signature is two numbers of 32 bytes (RFC 7518 §3.4). */
type Pair = { r: bigint; s: bigint };

/** Signatures that are none of ours, each on a token that is otherwise valid. */
export function signatureForgeries(valid: ValidToken, privateKey: KeyObject): Record<string, string> {
  return { ...numbers(valid), ...bytes(valid), ...spellings(valid), ...otherKeys(valid, privateKey) };
}

/** The other of the two signatures that fit (SEC 1 §4.1.4): the same r, and the order less s. */
export function mirrored(signature: Buffer): Buffer {
  const { r, s } = toPair(signature);
  return toBytes({ r, s: order - s });
}

function numbers(valid: ValidToken): Record<string, string> {
  const edges: Record<string, bigint> = {
    nought: 0n,
    one: 1n,
    'the order': order,
    'the order less one': order - 1n,
    'the order and one': order + 1n,
    'the field’s prime': field,
    'the greatest number': 2n ** 256n - 1n,
    'the generator’s x': generatorX,
  };
  const pairs: Record<string, (pair: Pair) => Pair> = {
    'with r and s exchanged': ({ r, s }) => ({ r: s, s: r }),
    'with the order less r': ({ r, s }) => ({ r: order - r, s }),
    'with one more in r': ({ r, s }) => ({ r: (r + 1n) % order, s }),
    'with one more in s': ({ r, s }) => ({ r, s: (s + 1n) % order }),
    'with r twice': ({ r }) => ({ r, s: r }),
    'with s twice': ({ s }) => ({ r: s, s }),
    'with every bit turned': ({ r, s }) => ({ r: 2n ** 256n - 1n - r, s: 2n ** 256n - 1n - s }),
  };
  for (const [name, edge] of Object.entries(edges)) {
    pairs[`whose r is ${name}`] = ({ s }) => ({ r: edge, s });
    pairs[`whose s is ${name}`] = ({ r }) => ({ r, s: edge });
    for (const [other, second] of Object.entries(edges))
      pairs[`of ${name} and ${other}`] = () => ({ r: edge, s: second });
  }
  return Object.fromEntries(
    Object.entries(pairs).map(([what, change]) => [
      `a signature ${what}`,
      writeToken(valid, { sign: (input) => toBytes(change(toPair(bytesOf(valid, input)))) }),
    ]),
  );
}

function bytes(valid: ValidToken): Record<string, string> {
  const changes: Record<string, (signature: Buffer) => Buffer> = {
    'that is left out': () => Buffer.alloc(0),
    'of one byte': () => Buffer.of(0),
    'without its last byte': (signature) => signature.subarray(0, 63),
    'without its first byte': (signature) => signature.subarray(1),
    'of its first half': (signature) => signature.subarray(0, 32),
    'with a byte of nought behind it': (signature) => Buffer.concat([signature, Buffer.of(0)]),
    'with a byte of nought before it': (signature) => Buffer.concat([Buffer.of(0), signature]),
    'with nought before each number': (signature) =>
      Buffer.concat([Buffer.of(0), signature.subarray(0, 32), Buffer.of(0), signature.subarray(32)]),
    twice: (signature) => Buffer.concat([signature, signature]),
    'in DER': toDer,
    'in DER with a length of several bytes': (signature) => {
      const der = toDer(signature);
      return Buffer.concat([Buffer.of(0x30, 0x81, der.length - 2), der.subarray(2)]);
    },
    'in DER of nothing': () => Buffer.of(0x30, 0),
    'in DER of two noughts': () => Buffer.of(0x30, 6, 2, 1, 0, 2, 1, 0),
    'of 64 bytes of nought': () => Buffer.alloc(64),
    'of 96 bytes of nought': () => Buffer.alloc(96),
    'of 64 bytes of 255': () => Buffer.alloc(64, 255),
    'in hexadecimal': (signature) => Buffer.from(signature.toString('hex')),
    'in base64url twice': (signature) => Buffer.from(signature.toString('base64url')),
  };
  return Object.fromEntries(
    Object.entries(changes).map(([what, change]) => [
      `a signature ${what}`,
      writeToken(valid, { sign: (input) => change(bytesOf(valid, input)) }),
    ]),
  );
}

/** RFC 7515 §2: base64url without padding, and RFC 4648 §3.5: one spelling for each sequence of bytes. */
function spellings(valid: ValidToken): Record<string, string> {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const next = (text: string, steps: number) => digits[digits.indexOf(text.slice(-1)) + steps] ?? '';
  const changes: Record<string, (text: string) => string> = {
    'with one = behind it': (text) => `${text}=`,
    'with two = behind it': (text) => `${text}==`,
    'with three = behind it': (text) => `${text}===`,
    'with its last unused bits set': (text) => text.slice(0, -1) + next(text, 15),
    'with one unused bit set': (text) => text.slice(0, -1) + next(text, 1),
    'in the other base64 alphabet': (text) => `+/${text.slice(2)}`,
    'with a point in it': (text) => `${text.slice(0, 40)}.${text.slice(40)}`,
    'with a character that is none of base64': (text) => `~${text.slice(1)}`,
    'with one character too many': (text) => `${text}A`,
    'with capitals for small letters': (text) => text.toUpperCase(),
  };
  return Object.fromEntries(
    Object.entries(changes).map(([what, change]) => [
      `a signature ${what}`,
      writeToken(valid, { sign: (input) => change(bytesOf(valid, input).toString('base64url')) }),
    ]),
  );
}

function otherKeys(valid: ValidToken, privateKey: KeyObject): Record<string, string> {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const token = writeToken(valid, {});
  const [header = '', claims = '', signature = ''] = token.split('.');
  const other = writeToken(valid, {}).split('.')[1];
  const plain = [header, claims].map((part) => Buffer.from(part, 'base64url').toString()).join('.');
  return {
    'a signature of another key of the same kind': writeToken(valid, { sign: signWith(own) }),
    'our signature of another token': `${header}.${other}.${signature}`,
    'our signature with SHA-384': writeToken(valid, { sign: signWith(privateKey, 'sha384') }),
    'our signature with SHA-512': writeToken(valid, { sign: signWith(privateKey, 'sha512') }),
    'our signature with SHA-1': writeToken(valid, { sign: signWith(privateKey, 'sha1') }),
    'our signature of the claims alone': writeToken(valid, {
      sign: (input) => valid.sign(input.split('.')[1] ?? ''),
    }),
    'our signature of the header alone': writeToken(valid, {
      sign: (input) => valid.sign(input.split('.')[0] ?? ''),
    }),
    'our signature of what is not encoded': appendSignature(`${header}.${claims}`, () => valid.sign(plain)),
    'our signature of nothing': writeToken(valid, { sign: () => valid.sign('') }),
  };
}

function bytesOf(valid: ValidToken, input: string): Buffer {
  const signature = valid.sign(input);
  return typeof signature === 'string' ? Buffer.from(signature, 'base64url') : signature;
}

function toPair(signature: Buffer): Pair {
  return { r: toNumber(signature.subarray(0, 32)), s: toNumber(signature.subarray(32)) };
}

function toNumber(part: Buffer): bigint {
  return BigInt(`0x${part.toString('hex')}`);
}

function toBytes({ r, s }: Pair): Buffer {
  return Buffer.from([r, s].map((number) => number.toString(16).padStart(64, '0')).join(''), 'hex');
}

/** SEC 1 §C.5, as other protocols than JOSE write it. */
function toDer(signature: Buffer): Buffer {
  const integers = [signature.subarray(0, 32), signature.subarray(32)].map((part) => {
    const positive = Buffer.concat([Buffer.of(0), part]);
    return Buffer.concat([Buffer.of(2, positive.length), positive]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}
