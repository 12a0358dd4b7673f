/** What every model is told about this server; less than 200 words. */
export const instructions = `Tasks, projects and areas of one person's account.

Every task is in exactly one list: the inbox, someday, or a project (perhaps in a section of it). today, upcoming and anytime are views over those lists, not lists: nothing is moved there, a date brings a task there. Areas only group projects.

dueDate is the day a task is planned for, deadlineDate the day it must be done by. Dates are calendar dates in the account's timezone; answers say what today is, so work out «tomorrow» or «Thursday» from that. Giving an inbox task a date moves it to someday.

Completing a repeating task rolls it to its next date: it stays open with the same id.

Look tasks up with find_tasks before you change them and use the ids it gives; never make ids up. Projects, sections and areas may be named; when a name is ambiguous you get candidates: ask the person or use an id.

Do several things in one call: tools take lists, and each entry has a result of its own. Tell the person about entries that failed. Use the Trash only when asked to delete; to give a task up, cancel it.`;
