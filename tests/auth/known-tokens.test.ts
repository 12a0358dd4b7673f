import test from 'ava';
import { createKnownTokens } from '#resource-api/auth/known-tokens.ts';

const one = { accountId: 'account', tokenId: 'one' };

test('a header is known by the token it was let in with, until it is forgotten', (t) => {
  const known = createKnownTokens();
  t.is(known.find('Bearer a'), undefined);
  known.remember('Bearer a', one);
  t.is(known.find('Bearer a'), one);
  t.is(known.find('Bearer A'), undefined);
  known.forget('Bearer a');
  t.is(known.find('Bearer a'), undefined);
});

test('so many are remembered, and the oldest goes first', (t) => {
  const known = createKnownTokens(2);
  for (const name of ['a', 'b', 'b', 'c']) known.remember(`Bearer ${name}`, { ...one, tokenId: name });
  t.deepEqual(
    ['a', 'b', 'c'].map((name) => known.find(`Bearer ${name}`)?.tokenId),
    [undefined, 'b', 'c'],
  );
});

test('a request without the header is nobody’s', (t) => {
  const known = createKnownTokens();
  known.remember(undefined, one);
  t.is(known.find(undefined), undefined);
  t.is(known.find(''), undefined);
});
