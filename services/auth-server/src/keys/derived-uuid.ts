/** A UUID of version 8 (RFC 9562 §5.8): always the same for the same hash, given in hexadecimal digits. */
export function derivedUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
