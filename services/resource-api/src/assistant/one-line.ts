/** A name as a part of a line. A break in it would begin a line that looks like one of ours. */
export function inOneLine(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
