/** The document with that part replaced. Throws an Error when it has no such part. */
export function replacePart(document: string, name: string, text: string): string {
  const [begin, end] = marksOf(name);
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the document lacks ${begin} and ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}

function marksOf(name: string): [begin: string, end: string] {
  return [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
}
