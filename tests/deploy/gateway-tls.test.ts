import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import http2 from 'node:http2';
import { get } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from '#local/free-port.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { makeSelfSignedCertificate } from '#tests/support/self-signed-certificate.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { isHaproxyInstalled, startGateway } from './gateway/run-gateway.ts';

const testWithHaproxy = testWithProgram('HAProxy', isHaproxyInstalled);

testWithHaproxy('with a certificate it ends TLS, and sends http to the same page of https', async (t) => {
  const parts = new AsyncDisposableStack();
  t.teardown(() => parts.disposeAsync());
  const folder = mkdtempSync(path.join(os.tmpdir(), 'certificate-'));
  parts.defer(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'tls.pem');
  const { cert, key } = makeSelfSignedCertificate();
  writeFileSync(file, cert + key);
  const addresses: unknown[] = [];
  const service = await listenOnFreePort(
    createServer((req, res) => {
      if (req.url !== '/readyz') addresses.push(req.headers['x-forwarded-for']);
      res.end('api');
    }),
  );
  parts.defer(service.close);
  const replicas = [{ port: service.port, managementPort: service.port }];
  const targets = { 'auth-server': replicas, 'resource-api': replicas };
  const port = await findFreePort();
  const settings = { GATEWAY_CERTIFICATE: file, GATEWAY_TLS_BIND: `127.0.0.1:${port}` };
  const gateway = await startGateway(parts, targets, undefined, settings);

  const redirect = await fetch(`${gateway.baseUrl}/mcp?a=b`, { method: 'POST', redirect: 'manual' });
  t.is(redirect.status, 308);
  t.is(redirect.headers.get('location'), `https://127.0.0.1:${gateway.port}/mcp?a=b`);
  t.deepEqual(addresses, []);
  const [answer] = await once(get({ port, path: '/mcp', ca: cert, host: 'localhost' }), 'response');
  t.is(await text(answer), 'api');
  t.deepEqual(addresses, ['127.0.0.1']);
  const client = http2.connect(`https://localhost:${port}`, { ca: cert });
  t.teardown(() => client.destroy());
  t.is(await text(client.request({ ':path': '/mcp' })), 'api');
});
