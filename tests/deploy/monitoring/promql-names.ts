/** What an expression of PromQL names. */
export type NamesInExpression = {
  selectors: Selector[];
  /** Labels that results are grouped or matched by. */
  groupings: string[];
};

export type Selector = { metric: string; matchers: Matcher[] };
type Matcher = { label: string; values: string[] };

const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring']);
const grouping = /\b(by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const selector = /(?<![\w:$"])([a-z_:][\w:]*)\b(?!\s*\()\s*(?:\{([^}]*)\})?/gi;
const matcher = /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g;

/** Reads names, not grammar: whether the expression is one, only Prometheus can tell. */
export function namesIn(expression: string): NamesInExpression {
  const groupings = [...expression.matchAll(grouping)].flatMap(([, , labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
  const rest = expression.replaceAll(grouping, ' ').replaceAll(/\[[^\]]*\]/g, ' ');
  const selectors = [...rest.matchAll(selector)]
    .filter(([, name = '']) => !keywords.has(name))
    .map(([, metric = '', matchers = '']) => ({ metric, matchers: readMatchers(matchers) }));
  return { selectors, groupings: groupings.filter((label) => label !== '') };
}

function readMatchers(text: string): Matcher[] {
  return [...text.matchAll(matcher)].map(([, label = '', value = '']) => ({
    label,
    // Alternatives of a regular expression; a pattern is none.
    values: value.split('|').filter((word) => /^[\w./-]+$/.test(word) && !word.includes('..')),
  }));
}
