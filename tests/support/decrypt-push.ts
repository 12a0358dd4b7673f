import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto';

/** Decrypts a push message as a browser does (RFC 8291 §3.4, RFC 8188 §2: one record). */
export function decryptPush(body: Buffer, ecdh: ECDH, auth: string): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const inputKey = hkdfSync('sha256', ecdh.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32);
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', new Uint8Array(inputKey), salt, `Content-Encoding: ${label}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
