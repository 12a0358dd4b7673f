import showdown from 'showdown';
import { linkBareAddresses } from './bare-addresses.ts';

const converter = new showdown.Converter({
  tables: true,
  strikethrough: true,
  tasklists: true,
  ghCodeBlocks: true,
  simplifiedAutoLink: true,
  literalMidWordUnderscores: true,
  splitAdjacentBlockquotes: true,
  backslashEscapesHTMLTags: true,
  disableForced4SpacesIndentedSublists: true,
  // Notes are jotted down line by line: a line break typed is a line break shown.
  simpleLineBreaks: true,
  // «#errand» is a tag somebody typed, «# Errands» is a heading.
  requireSpaceBeforeHeadingText: true,
  noHeaderId: true,
  // Done last of all, it would change the addresses of links, too.
  ellipsis: false,
  // Obfuscated addresses are random, and a rendering must depend on nothing but its notes.
  encodeEmails: false,
});

const hashHtmlBlocks = showdown.subParser('hashHTMLBlocks');
// It makes an expression for each of 34 tags and searches the text with all of them, again for every list and
// quotation: nearly half of the time of notes that have no tag.
showdown.subParser('hashHTMLBlocks', (text: string, ...state: unknown[]) =>
  text.includes('<') ? hashHtmlBlocks(text, ...state) : text,
);

on('hashPreCodeTags.before', (text, state) => {
  // Link names are looked up in a plain object: «[constructor]» would find a function and throw.
  Object.setPrototypeOf(state.gUrls ?? {}, null);
  return text;
});
on('outdent.before', widenNesting);
on('simplifiedAutoLinks.before', linkBareAddresses);
on('hashHTMLSpans.before', setTagsAside);
on('unhashHTMLSpans.before', restoreTags);

/**
 * Converts Markdown to HTML that nobody has vetted yet: raw HTML and any link come through.
 * Some inputs take minutes, some throw: only for threads that can be killed.
 */
export function markdownToHtml(markdown: string): string {
  return converter.makeHtml(markdown);
}

function on(event: string, change: (text: string, state: showdown.ConverterGlobals) => string): void {
  converter.listen(event, (_event, text, _converter, _options, state) => change(text, state));
}

/**
 * showdown takes up to four blanks off each line of a list item, so that lists nested by two or three blanks
 * lose a level at the third. Widened to four, each level keeps its own.
 */
function widenNesting(item: string): string {
  const indent = /\n( +)\S/.exec(item)?.[1]?.length ?? 4;
  return indent < 4 ? item.replaceAll(/\n(?= )/g, `\n${' '.repeat(4 - indent)}`) : item;
}

/**
 * Sets tags aside in one pass, so that no mark inside them is converted. Left to itself showdown looks for
 * the end of each tag, and of what might be one, through the rest of the paragraph: twenty «<» cost seconds
 * in a paragraph of 100,000 characters.
 */
function setTagsAside(text: string, state: showdown.ConverterGlobals): string {
  const tags = state.gHtmlSpans ?? [];
  const end = text.lastIndexOf('>') + 1;
  const marked = text
    .slice(0, end)
    .replace(/<code>[^<]*<\/code>|<[^>]+>/g, (tag) => `¨C${tags.push(tag) - 1}C`);
  return marked + text.slice(end).replaceAll('<', '&lt;');
}

/** Puts the tags back in one pass, where showdown copies the whole text once for each of them. */
function restoreTags(text: string, state: showdown.ConverterGlobals): string {
  const tags = state.gHtmlSpans ?? [];
  state.gHtmlSpans = [];
  const restore = (part: string): string =>
    part.replace(/¨C(\d+)C/g, (_mark, index) => restore(tags[Number(index)] ?? ''));
  return restore(text);
}
