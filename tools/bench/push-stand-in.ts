import { appendFileSync, readFileSync } from 'node:fs';
import https from 'node:https';

/* A push service that accepts and logs everything: `node push-stand-in.ts KEY CERT OUT PORT`. */

const [keyFile = '', certFile = '', outFile = '', port = '0'] = process.argv.slice(2);
let arrivals: string[] = [];

https
  .createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    arrivals.push(`${Date.now()} ${Buffer.concat(chunks).toString('base64')}\n`);
    res.writeHead(201).end();
  })
  .listen(Number(port), '127.0.0.1');

setInterval(() => {
  appendFileSync(outFile, arrivals.join(''));
  arrivals = [];
}, 100);
