import test from 'ava';
import fc from 'fast-check';
import { createCursorCodec } from '#resource-api/http/cursor.ts';
import { AppError } from '#shared/errors/app-error.ts';

const codec = createCursorCodec(() => Buffer.alloc(32, 7));
const cursor = { today: '2026-11-20', key: ['-7', '0d5f3c5e-6f0b-4c39-9a53-0b8b1a6d1c11'] };
const scope = ['account', 'tasks', 'inbox', undefined, new Date(0)];

function isRefused(open: () => unknown): boolean {
  try {
    open();
    return false;
  } catch (error) {
    return error instanceof AppError && Object.keys(error.errors ?? {}).join() === 'cursor';
  }
}

test('what was sealed is opened under the same scope, whatever it holds', (t) => {
  const keys = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 4 });
  const property = fc.property(keys, (key) => {
    const sealed = codec.seal(scope, { today: '2026-11-20', key });
    t.deepEqual(codec.open([...scope], sealed), { today: '2026-11-20', key });
  });
  t.notThrows(() => fc.assert(property));
});

test('sealing is deterministic and gives characters that a URL takes as they are', (t) => {
  const sealed = codec.seal(scope, cursor);
  t.is(sealed, codec.seal(scope, cursor));
  t.regex(sealed, /^[A-Za-z0-9_-]+$/);
});

test('another scope does not open it, be it by one member', (t) => {
  const sealed = codec.seal(scope, cursor);
  for (const [index] of scope.entries()) {
    t.true(isRefused(() => codec.open(scope.with(index, 'other'), sealed)));
  }
  t.true(isRefused(() => codec.open(scope.slice(0, -1), sealed)));
  t.true(isRefused(() => codec.open([...scope, 'more'], sealed)));
});

test('another secret does not open it', (t) => {
  const sealed = codec.seal(scope, cursor);
  t.true(isRefused(() => createCursorCodec(() => Buffer.alloc(32, 8)).open(scope, sealed)));
});

test('a cursor with any single character changed, added or left out is refused', (t) => {
  const sealed = codec.seal(scope, cursor);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. ~';
  const positions = fc.nat(sealed.length - 1);
  const property = fc.property(positions, fc.constantFrom(...alphabet), (at, character) => {
    const changed = sealed.slice(0, at) + character + sealed.slice(at + 1);
    const added = sealed.slice(0, at) + character + sealed.slice(at);
    const shortened = sealed.slice(0, at) + sealed.slice(at + 1);
    for (const text of [changed, added, shortened]) {
      if (text !== sealed)
        t.true(
          isRefused(() => codec.open(scope, text)),
          text,
        );
    }
  });
  t.notThrows(() => fc.assert(property, { numRuns: 2_000 }));
});

test('no other text is a cursor', (t) => {
  const property = fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
    t.true(isRefused(() => codec.open(scope, text)));
  });
  t.notThrows(() => fc.assert(property, { numRuns: 1_000 }));
  for (const text of ['', 'A', 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(100_000)]) {
    t.true(isRefused(() => codec.open(scope, text)));
  }
});
