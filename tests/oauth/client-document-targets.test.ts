import test from 'ava';
import {
  ClientDocumentError,
  createClientDocumentFetch,
} from '#auth-server/clients/fetch-client-document.ts';
import { isPublicAddress } from '#auth-server/clients/public-address.ts';
import { words } from '#tests/support/words.ts';
import { openDocumentHost, reachHost } from './client-document-host.ts';

/** Of each range its first and last address, and of some what is known to answer there. */
const notPublic = [
  ...words(`0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255
    127.0.0.1 127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255
    192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0
    192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8
    ::ffff:7f00:1 ::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378::1
    2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::1 2620:4f:8000::1 3fff::1
    3fff:fff:ffff::1 4000::1 5f00::1 fc00::1 fdff::1 fd00:ec2::254 fe80::1 fe80::1%eth0 febf::1
    fec0::1 ff02::1 2606:4700::1%eth0 client.example 8.8.8 0x7f.1 2130706433`),
  '',
  '8.8.8.8 ',
];
const isPublic =
  words(`1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.17 2000::1 2001:200::1 2001:4860:4860::8888
  2003::1 2606:4700::1111 2a00:1450::1 3ffe::1`);

test('addresses of the public internet are told from all others', (t) => {
  t.deepEqual(notPublic.filter(isPublicAddress), []);
  t.deepEqual(
    isPublic.filter((address) => !isPublicAddress(address)),
    [],
  );
});

/** All of them end on this machine when a connection is tried. */
const waysHome: Record<string, string[]> = {
  'the loopback address': ['127.0.0.1'],
  'another loopback address': ['127.255.0.7'],
  'the unspecified address': ['0.0.0.0'],
  'a public address and loopback': ['93.184.215.14', '127.0.0.1'],
  'loopback and a public address': ['127.0.0.1', '93.184.215.14'],
  'loopback in IPv6 spelling': ['::ffff:127.0.0.1'],
  'loopback in hexadecimal IPv6 spelling': ['::ffff:7f00:1'],
};

for (const [what, addresses] of Object.entries(waysHome)) {
  test(`a host name that resolves to ${what} is refused before any connection`, async (t) => {
    const host = await openDocumentHost(t);
    const fetchDocument = reachHost({ resolve: async () => addresses, isAllowedAddress: isPublicAddress });
    await t.throwsAsync(fetchDocument(host.urlOf('/client.json')), {
      instanceOf: ClientDocumentError,
      message: 'the client metadata document could not be fetched',
    });
    t.is(host.connections, 0);
  });
}

test('a name that changes its address after it was checked leads nowhere else', async (t) => {
  const host = await openDocumentHost(t);
  // An address of documentation, which nobody has: that it is tried, and no other, is all there is to see.
  const answers = [['192.0.2.1'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? [];
  const isAllowedAddress = (address: string) => address !== '127.0.0.1';
  await t.throwsAsync(reachHost({ resolve, isAllowedAddress })(host.urlOf('/client.json')), {
    instanceOf: ClientDocumentError,
  });
  t.deepEqual([host.connections, answers.length], [0, 1]);
});

test('without a seam nothing on this machine is reached by any spelling of it', async (t) => {
  const host = await openDocumentHost(t);
  const { port } = host.urlOf('/');
  const fetchDocument = createClientDocumentFetch();
  for (const name of ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '2130706433', '127.1', 'app.localhost']) {
    await t.throwsAsync(fetchDocument(new URL(`https://${name}:${port}/client.json`)), {
      instanceOf: ClientDocumentError,
    });
  }
  t.is(host.connections, 0);
});
