import { buffer } from 'node:stream/consumers';
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import { imageSize } from 'image-size';

/*
 * A program run by reencode-image.ts: reads a picture from standard input and writes it as a small PNG
 * without metadata. Fails unless it is a PNG, JPEG, WebP or GIF within the size limit.
 */

/** The size in lists and on the consent page, at two pixels per CSS pixel. */
const longestSide = 96;
/** 2,048 × 2,048; a logo is rarely wider than 1,024. */
const maximumPixels = 4_194_304;
const formats: readonly (string | undefined)[] = ['png', 'jpg', 'webp', 'gif'];

const image = await buffer(process.stdin);
const { width, height, type } = imageSize(image);
if (!formats.includes(type)) throw new Error(`it is ${type}`);
if (width * height > maximumPixels) throw new Error(`it has ${width} × ${height} pixels`);

const picture = PhotonImage.new_from_byteslice(image);
const scale = longestSide / Math.max(picture.get_width(), picture.get_height());
const scaled = (side: number): number => Math.max(1, Math.round(side * Math.min(scale, 1)));
const [scaledWidth, scaledHeight] = [scaled(picture.get_width()), scaled(picture.get_height())];
process.stdout.write(resize(picture, scaledWidth, scaledHeight, SamplingFilter.Lanczos3).get_bytes());
