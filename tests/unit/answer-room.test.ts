import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import { createAnswerRoom } from '#resource-api/http/answer-room.ts';

const part = 100_000;

const answer = () => new ServerResponse(new IncomingMessage(new Socket()));

test('an account’s room is full until answers have been taken, part by part or whole', (t) => {
  const room = createAnswerRoom({ bytesPerAccount: 3 * part, bytesOfAll: 100 * part });
  const [one, other] = [answer(), answer()];
  room.take('a', one, part);
  room.take('a', one, part);
  room.require('a');
  room.take('a', other, part);
  t.throws(() => room.require('a'), { message: /busy/ });
  room.require('b');
  one.emit('close');
  room.require('a');
  room.take('a', answer(), part);
  room.require('a');
  room.take('a', answer(), part);
  t.throws(() => room.require('a'));
});

test('while the room of all is full, whoever has a part in it is refused and nobody else', (t) => {
  const room = createAnswerRoom({ bytesPerAccount: 100 * part, bytesOfAll: 3 * part });
  const first = answer();
  room.take('a', first, part);
  room.take('b', answer(), part);
  room.require('a');
  room.take('c', answer(), part);
  for (const accountId of ['a', 'b', 'c']) t.throws(() => room.require(accountId));
  room.require('d');
  first.emit('close');
  for (const accountId of ['a', 'b', 'c', 'd']) room.require(accountId);
});

test('small answers take no room', (t) => {
  const room = createAnswerRoom({ bytesPerAccount: 1, bytesOfAll: 1 });
  room.take('a', answer(), 1_000);
  t.notThrows(() => room.require('a'));
});
