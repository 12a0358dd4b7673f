/** What the document says of each group of operations, in the order in which they are shown. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Account: 'Who a token speaks for, and tokens to hand on.',
  Tasks:
    'A task is in exactly one list: the inbox, Someday or a project. Today, Upcoming, Anytime, the Logbook and the Trash ' +
    'are views over those lists.',
  Projects: 'A project holds tasks, and sections to divide them. It may belong to an area.',
  Sections: 'The headings within a project.',
  Areas: 'An area groups projects and nothing else: a task is never filed directly in an area.',
  OAuth:
    'How an app that holds no personal token finds this service, asks its user for access, and gets, refreshes and ' +
    'revokes its tokens. These paths belong to the host, not to the API.',
  Documentation: 'This document, and the page that shows it.',
};

/** The tag objects of `names`. Throws for a tag without a description. */
export function describeTags(names: ReadonlySet<string>): { name: string; description: string }[] {
  for (const name of names) {
    if (!Object.hasOwn(tagDescriptions, name))
      throw new Error(`the tag «${name}» has no description in tags.ts`);
  }
  return Object.entries(tagDescriptions)
    .filter(([name]) => names.has(name))
    .map(([name, description]) => ({ name, description }));
}
