import type { Tool } from './tool.ts';
import { addTasks } from './tools/add-tasks.ts';
import { changeTasks, moveTasks, rescheduleTasks } from './tools/change-tasks.ts';
import { closeProjects } from './tools/close-projects.ts';
import { restoreTasks, setTaskStatus, skipOccurrence, trashTasks } from './tools/close-tasks.ts';
import { editChecklists } from './tools/edit-checklists.ts';
import { findTasks } from './tools/find-tasks.ts';
import { getOneTask } from './tools/get-task.ts';
import { overview } from './tools/overview.ts';
import { getOneProject, listProjects } from './tools/read-projects.ts';
import { recentChanges } from './tools/recent-changes.ts';
import { saveAreas } from './tools/save-areas.ts';
import { saveProjects } from './tools/save-projects.ts';
import { saveSections } from './tools/save-sections.ts';
import { undo } from './tools/undo.ts';

/** All tools; read-only ones first. */
export const tools: readonly Tool[] = [
  findTasks,
  getOneTask,
  overview,
  listProjects,
  getOneProject,
  recentChanges,
  addTasks,
  changeTasks,
  rescheduleTasks,
  editChecklists,
  moveTasks,
  setTaskStatus,
  skipOccurrence,
  trashTasks,
  restoreTasks,
  saveProjects,
  closeProjects,
  saveSections,
  saveAreas,
  undo,
];
