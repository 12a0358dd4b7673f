/** Creates through the public API. @returns the id of what was created */
export type Create = (path: string, body: object) => Promise<string>;

/** Fills an account with an area, projects and tasks, planned around `today` (the account's calendar date). */
export async function createSamples(create: Create, today: Temporal.PlainDate): Promise<void> {
  const inDays = (days: number) => today.add({ days }).toString();
  const areaId = await create('/areas', { title: 'Home' });
  await createMove(create, areaId, inDays);
  const projectId = await create('/projects', { title: 'Learn the API' });
  await create('/tasks', {
    title: 'Read the API reference',
    projectId,
    dueDate: inDays(0),
    description: 'It is served beside the API, under `/api/public/v1/docs`.',
  });
  await create('/tasks', { title: 'Write a script that adds a task', projectId });
  await create('/tasks', { title: 'Buy milk', list: 'inbox' });
  const notes = 'Notes are *Markdown*.';
  await create('/tasks', { title: 'An idea to sort later', list: 'inbox', description: notes });
  await create('/tasks', {
    title: 'Water the plants',
    dueDate: inDays(0),
    recurrence: { frequency: 'weekly', interval: 1, weekdays: ['monday', 'thursday'] },
  });
  await create('/tasks', { title: 'Learn to juggle', list: 'someday' });
}

async function createMove(create: Create, areaId: string, inDays: (days: number) => string): Promise<void> {
  const projectId = await create('/projects', {
    title: 'Move to the new flat',
    description: 'Everything for the **move**: papers, boxes, people.',
    areaId,
    deadlineDate: inDays(30),
  });
  const sectionId = await create(`/projects/${projectId}/sections`, { title: 'Papers' });
  await create('/tasks', {
    title: 'Pack the kitchen',
    projectId,
    dueDate: inDays(3),
    reminderTime: '09:30',
    checklist: ['Glasses', 'Plates', 'The drawer nobody opens'].map((title) => ({ title })),
  });
  await create('/tasks', { title: 'Ask friends to help carry', projectId, dueDate: inDays(1) });
  await create('/tasks', {
    title: 'Cancel the old electricity contract',
    sectionId,
    deadlineDate: inDays(14),
  });
  await create('/tasks', {
    title: 'Register the new address',
    sectionId,
    description:
      'Bring:\n\n- passport\n- [confirmation of the landlord](https://example.com/form)\n- patience',
  });
}
