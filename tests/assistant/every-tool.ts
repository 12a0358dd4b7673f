import type { Desk } from './desk.ts';

export type ToolUse = { tool: string; input: object };

/** One sensible call of each tool on a furnished account. */
export function oneCallOfEach({ ids }: Pick<Desk, 'ids'>): ToolUse[] {
  return [
    { tool: 'find_tasks', input: { view: 'today' } },
    { tool: 'get_task', input: { id: ids['Buy milk'] } },
    { tool: 'list_projects', input: {} },
    { tool: 'get_project', input: { project: ids.Garden } },
    { tool: 'changes_since', input: { since: '2026-11-20T00:00:00Z' } },
    { tool: 'add_tasks', input: { tasks: [{ title: 'Sweep', project: ids.Garden, section: ids.Lawn }] } },
    { tool: 'change_tasks', input: { changes: [{ id: ids['Buy milk'], title: 'Buy oat milk' }] } },
    { tool: 'move_tasks', input: { moves: [{ id: ids['Buy milk'], project: ids.Garden }] } },
    { tool: 'set_task_status', input: { ids: [ids['Buy milk']], status: 'completed' } },
    { tool: 'trash_tasks', input: { ids: [ids['Buy milk']] } },
    { tool: 'restore_tasks', input: { ids: [ids['Buy milk']] } },
    { tool: 'save_project', input: { project: ids.Garden, title: 'Back garden', area: ids.Work } },
    { tool: 'save_section', input: { project: ids.Garden, section: ids.Lawn, title: 'Meadow' } },
    { tool: 'save_area', input: { area: ids.Home, title: 'House' } },
    { tool: 'set_project_status', input: { project: ids['Office move'], status: 'completed' } },
  ];
}

export const readingTools = ['changes_since', 'find_tasks', 'get_project', 'get_task', 'list_projects'];
