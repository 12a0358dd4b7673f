/** The body without what its members forbid each other, which no schema says. Other bodies stay as they are. */
export function reconciled(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const members = { ...body } as Record<string, unknown>;
  const { recurrence, dueDate, projectId, list } = members;
  const rule = recurrence as { frequency?: string; weekdays?: unknown } | null | undefined;
  if (rule?.weekdays !== undefined && rule.frequency !== 'weekly')
    members.recurrence = { ...rule, weekdays: [] };
  if (typeof dueDate !== 'string') delete members.reminderTime;
  // The section is the one to go: which project it belongs to is not known here.
  if (projectId !== undefined) delete members.sectionId;
  if (members.sectionId === null) delete members.sectionId;
  if (list !== undefined && (projectId !== undefined || members.sectionId !== undefined))
    members.list = 'project';
  else if (list === 'project') members.list = 'someday';
  return Object.keys(members).length === 0 && Object.keys(body).length > 0 ? { list: 'someday' } : members;
}
