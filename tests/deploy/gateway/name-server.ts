import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type NameServer = {
  /** `address:port`. */
  address: string;
  close(): Promise<void>;
};

const headerBytes = 12;
const answerAndRecursion = 0x8180;
const noSuchName = 3;
const addressType = 1;
const timeToLiveSeconds = 1;

/**
 * Answers for the addresses (IPv4) of names as an engine's own name server does (RFC 1035): all of them that the name
 * has at the moment of the question.
 */
export async function startNameServer(addressesOf: (name: string) => readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) =>
    socket.send(answer(question, addressesOf), port, address),
  );
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

function answer(message: Buffer, addressesOf: (name: string) => readonly string[]): Buffer {
  const { name, end } = readName(message);
  const isForAddresses = message.readUInt16BE(end) === addressType;
  const addresses = addressesOf(name);
  const records = isForAddresses ? addresses.map(addressRecord) : [];
  const header = Buffer.from(message.subarray(0, headerBytes));
  header.writeUInt16BE(answerAndRecursion | (addresses.length === 0 ? noSuchName : 0), 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, message.subarray(headerBytes, end + 4), ...records]);
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(12);
  // The name is the one that was asked for, which begins after the header.
  record.writeUInt16BE(0xc000 | headerBytes, 0);
  record.writeUInt16BE(addressType, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(timeToLiveSeconds, 6);
  record.writeUInt16BE(4, 10);
  return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
}
