/** Lengths count Unicode code points: an emoji is one, a family of emoji is as many as it joins. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      length--;
      index++;
    }
  }
  return length;
}

export function isBlank(text: string): boolean {
  return /^\p{White_Space}*$/u.test(text);
}
