import { crc32, deflateSync } from 'node:zlib';
import { PhotonImage } from '@silvia-odwyer/photon-node';

/** A PNG in one colour, with a text beside the picture, and a colour profile of so many zeros. */
export function samplePng(width: number, height: number, profileBytes = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of red, green, blue and alpha.
  header.set([8, 6], 8);
  const row = Buffer.alloc(1 + width * 4, 0xc0).fill(0, 0, 1);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(profileBytes > 0 ? [colourProfile(profileBytes)] : []),
    pngChunk('tEXt', Buffer.from('Comment\0smuggled')),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourProfile(bytes: number): Buffer {
  return pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(bytes))]));
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** The same picture in each format that a logo may have, by its media type. */
export function samplePictures(): Record<string, Buffer> {
  const png = samplePng(300, 150);
  const picture = PhotonImage.new_from_byteslice(png);
  return {
    'image/png': png,
    'image/jpeg': Buffer.from(picture.get_bytes_jpeg(80)),
    'image/webp': Buffer.from(picture.get_bytes_webp()),
    'image/gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  };
}

/** A BMP of one pixel. */
export function sampleBitmap(): Buffer {
  const file = Buffer.alloc(58);
  file.write('BM');
  file.writeUInt32LE(58, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(1, 18);
  file.writeInt32LE(1, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  file.writeUInt32LE(4, 34);
  return file;
}
