/** An address that stands in the text by itself, and what keeps it from being one: it may be part of a tag. */
const bareAddress = /(?<![a-z\d])((?:https?:\/\/|www\.)[^\s'"<>]+)(['"<>]?)/gi;
const openings: readonly (readonly [closing: string, opening: string])[] = [
  [')', '('],
  [']', '['],
];

/**
 * Makes links of addresses that stand in the text by themselves, as far as they belong to them (GitHub Flavored
 * Markdown §6.9). Left to itself showdown leaves out the last mark whatever it is, and none before it.
 */
export function linkBareAddresses(text: string): string {
  return text.replace(bareAddress, (found: string, run: string, stop: string) => {
    const address = withoutTrailingMarks(run);
    if (stop !== '' || !address.includes('.', 'www.'.length)) return found;
    const shown = address.replace(/[*_:~]/g, (mark) => `¨E${mark.charCodeAt(0)}E`);
    const scheme = /^www\./i.test(address) ? 'http://' : '';
    return `<a href="${scheme}${shown}">${shown}</a>${run.slice(address.length)}`;
  });
}

/** Marks at the end belong to the sentence, and so does a bracket that was not opened in the address. */
function withoutTrailingMarks(run: string): string {
  const unopened = new Map(
    openings.map(([closing, opening]) => [closing, count(run, closing) - count(run, opening)]),
  );
  for (let end = run.length; ; end--) {
    const last = run.charAt(end - 1);
    const surplus = unopened.get(last) ?? 0;
    if (surplus > 0) unopened.set(last, surplus - 1);
    else if (!'?!.,:*_~'.includes(last)) return run.slice(0, end);
  }
}

const count = (text: string, mark: string): number => text.split(mark).length - 1;
