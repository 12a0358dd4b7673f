/** How well the title fits: at its start, at the start of a word, within; null: not at all. Every word has to occur. */
function matchScore(title: string, query: string): number | null {
  const text = title.toLowerCase();
  const wanted = query.toLowerCase();
  if (text.startsWith(wanted)) return 0;
  if (text.includes(` ${wanted}`)) return 1;
  if (text.includes(wanted)) return 2;
  return wanted.split(/\s+/u).every((word) => text.includes(word)) ? 3 : null;
}

/** The best of them, in their order among equals. */
export function bestMatches<Named extends { title: string }>(
  all: Iterable<Named>,
  query: string,
  limit: number,
): Named[] {
  const groups: Named[][] = [[], [], [], []];
  for (const named of all) {
    const score = matchScore(named.title, query);
    if (score !== null) groups[score]?.push(named);
  }
  return groups.flat().slice(0, limit);
}
