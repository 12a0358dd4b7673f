import type { Scope } from '#shared/scopes.ts';
import type { Tool } from './tool.ts';
import { restoreTasks, setTaskStatus, skipOccurrence, trashTasks } from './tools/close-tasks.ts';
import { changesSince, findTasks } from './tools/find-tasks.ts';
import { getOneTask } from './tools/get-task.ts';
import { closeProject, saveArea, saveProject, saveSection } from './tools/manage-projects.ts';
import { getOneProject, listProjects } from './tools/read-projects.ts';
import { recentChanges } from './tools/recent-changes.ts';
import { undo } from './tools/undo.ts';
import { addTasks, changeTasks, moveTasks } from './tools/write-tasks.ts';

/** Every tool, reading ones first. */
export const tools: readonly Tool[] = [
  findTasks,
  getOneTask,
  listProjects,
  getOneProject,
  changesSince,
  recentChanges,
  addTasks,
  changeTasks,
  moveTasks,
  setTaskStatus,
  skipOccurrence,
  trashTasks,
  restoreTasks,
  saveProject,
  closeProject,
  saveSection,
  saveArea,
  undo,
];

export function toolsFor(scopes: readonly Scope[]): Tool[] {
  return tools.filter(({ scope }) => scopes.includes(scope));
}
