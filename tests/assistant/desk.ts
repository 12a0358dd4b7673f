import type { AccountClient, Stack } from '#tests/support/stack.ts';
import type { AccountOptions, TestAccount, TokenOptions } from '#tests/support/test-accounts.ts';
import { words } from '#tests/support/words.ts';
import { type AssistantClient, connectAssistant } from './assistant-client.ts';

/** A person's account with things in it, and the assistant they connected. */
export type Desk = {
  api: AccountClient;
  assistant: AssistantClient;
  /** Ids by title: of tasks, projects, sections and areas. */
  ids: Readonly<Record<string, string>>;
};

/** A Saturday morning in Berlin. */
export const saturday = '2026-11-21T09:00:00Z';

const tasks = [
  { title: 'Learn to juggle', list: 'someday' },
  { title: 'Read the tide tables' },
  { title: 'Pack the books', project: 'Office move', dueDate: '2026-11-24' },
  { title: 'Cancel the cleaning', project: 'Office move' },
  { title: 'Order seeds', project: 'Garden', section: 'Beds' },
  { title: 'Pay the rent', deadlineDate: '2026-11-25' },
  { title: 'Water the plants', dueDate: '2026-11-20', repeat: { frequency: 'daily' } },
  { title: 'Buy milk', dueDate: '2026-11-21' },
  { title: 'Call the dentist', dueDate: '2026-11-21', reminderTime: '10:30' },
  { title: 'File the taxes' },
  { title: 'Old idea' },
];

export async function openDesk(stack: Stack, options: AccountOptions = {}): Promise<Omit<Desk, 'ids'>> {
  const api = await stack.newClient({ plan: 'premium', timezone: 'Europe/Berlin', ...options });
  return { api, assistant: await connectWith(stack, api.account) };
}

export async function furnishDesk(stack: Stack): Promise<Desk> {
  const { api, assistant } = await openDesk(stack);
  const ids: Record<string, string> = {};
  const areas = await assistant.call('save_areas', { areas: [{ title: 'Home' }, { title: 'Work' }] });
  for (const { id, title } of areas.content.areas as Named[]) ids[title] = id;
  const projects = [
    { title: 'Garden', area: 'Home', newSections: ['Beds', 'Lawn'] },
    { title: 'Office move', area: 'Work' },
  ];
  const saved = await assistant.call('save_projects', { projects });
  for (const { id, title } of projectsOf(saved)) ids[title] = id;
  const added = await assistant.call('add_tasks', { tasks });
  for (const [index, { id }] of resultsOf(added).entries()) ids[tasks[index]?.title ?? ''] = id ?? '';
  await assistant.call('set_task_status', { ids: [ids['File the taxes']], status: 'completed' });
  await assistant.call('trash_tasks', { ids: [ids['Old idea']] });
  const listed = projectsOf(await assistant.call('list_projects'));
  for (const { id, title } of listed.flatMap(({ sections = [] }) => sections)) ids[title] = id;
  return { api, assistant, ids };
}

type Named = { id: string; title: string };

export function projectsOf({ content }: { content: Record<string, unknown> }) {
  return (content.projects ?? []) as (Named & { sections?: Named[] })[];
}

/** The id of the one project that a call has saved. */
export const savedIn = (result: { content: Record<string, unknown> }) => projectsOf(result)[0]?.id;

/** «id:» and a title stand for the id of what has it. */
export function filledIn(json: string, ids: Readonly<Record<string, string>>): string {
  return json.replace(/"id:([^"]+)"/g, (_, title: string) =>
    JSON.stringify(ids[title] ?? `no id of ${title}`),
  );
}

export type EntryResult = {
  unchanged?: boolean;
  index: number;
  ok: boolean;
  id?: string;
  task?: Record<string, unknown>;
  error?: { code: string; message: string; field?: string; candidates?: { id: string; within?: string }[] };
};

export function resultsOf({ content }: { content: Record<string, unknown> }): EntryResult[] {
  return (content.results ?? []) as EntryResult[];
}

export async function connectWith(
  stack: Stack,
  account: TestAccount,
  options: TokenOptions = {},
): Promise<AssistantClient> {
  return connectAssistant(stack.baseUrl, (await stack.createToken(account, options)).secret);
}

type ToolUse = { tool: string; input: object };

/** One sensible call of each tool on a furnished account. */
export function oneCallOfEach({ ids }: Pick<Desk, 'ids'>): ToolUse[] {
  return [
    { tool: 'find_tasks', input: { view: 'today' } },
    { tool: 'get_task', input: { id: ids['Buy milk'] } },
    { tool: 'overview', input: {} },
    { tool: 'list_projects', input: {} },
    { tool: 'get_project', input: { project: ids.Garden } },
    { tool: 'recent_changes', input: {} },
    { tool: 'add_tasks', input: { tasks: [{ title: 'Sweep', project: ids.Garden, section: ids.Lawn }] } },
    { tool: 'change_tasks', input: { changes: [{ id: ids['Buy milk'], title: 'Buy oat milk' }] } },
    { tool: 'reschedule_tasks', input: { tasks: [{ id: ids['Buy milk'], dueDate: '2026-11-22' }] } },
    { tool: 'edit_checklists', input: { edits: [{ id: ids['Buy milk'], add: ['Bring a bag'] }] } },
    { tool: 'move_tasks', input: { moves: [{ id: ids['Buy milk'], project: ids.Garden }] } },
    { tool: 'set_task_status', input: { ids: [ids['Buy milk']], status: 'completed' } },
    { tool: 'skip_occurrence', input: { ids: [ids['Water the plants']] } },
    { tool: 'trash_tasks', input: { ids: [ids['Buy milk']] } },
    { tool: 'restore_tasks', input: { ids: [ids['Buy milk']] } },
    {
      tool: 'save_projects',
      input: { projects: [{ project: ids.Garden, title: 'Back garden', area: ids.Work }] },
    },
    {
      tool: 'save_sections',
      input: { project: ids.Garden, sections: [{ section: ids.Lawn, title: 'Meadow' }] },
    },
    { tool: 'save_areas', input: { areas: [{ area: ids.Home, title: 'House' }] } },
    { tool: 'set_project_status', input: { projects: [ids['Office move']], status: 'completed' } },
    { tool: 'set_project_status', input: { projects: [ids['Office move']], status: 'trashed' } },
    { tool: 'set_project_status', input: { projects: [ids['Office move']], status: 'restored' } },
    { tool: 'undo', input: { latest: true } },
  ];
}

export const readingTools = words('find_tasks get_project get_task list_projects overview recent_changes');
