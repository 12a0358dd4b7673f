/** Shown in the documentation. */
export const taskExample = {
  id: '0d5f3c5e-6f0b-4c39-9a53-0b8b1a6d1c11',
  title: 'Call the dentist',
  description: 'Ask about **Thursday**.',
  descriptionHtml: '<p>Ask about <strong>Thursday</strong>.</p>',
  status: 'open',
  list: 'project',
  projectId: '5a1d0f5c-5d0e-4a2c-8f0e-2d3a5b7c9e01',
  sectionId: null,
  dueDate: '2026-11-24',
  deadlineDate: '2026-12-01',
  reminderTime: '09:30',
  recurrence: { frequency: 'weekly', interval: 2, weekdays: ['tuesday'], fromCompletion: false },
  checklist: [{ id: '7be0a9b4-6a57-4b0e-9a55-3d1f8f4b2a10', title: 'Find the number', completed: true }],
  inTrash: false,
  inLogbook: false,
  completedAt: null,
  cancelledAt: null,
  createdAt: '2026-11-20T08:15:30.123Z',
  updatedAt: '2026-11-21T07:02:11.004Z',
};

export const taskCreateExample = {
  title: 'Call the dentist',
  description: 'Ask about **Thursday**.',
  projectId: taskExample.projectId,
  dueDate: '2026-11-24',
  reminderTime: '09:30',
  recurrence: { frequency: 'weekly', interval: 2 },
  checklist: [{ title: 'Find the number' }],
};

export const completedTaskExample = {
  ...taskExample,
  status: 'completed',
  recurrence: null,
  inLogbook: true,
  completedAt: '2026-11-21T07:02:11.004Z',
};

export const cancelledTaskExample = {
  ...taskExample,
  status: 'cancelled',
  recurrence: null,
  inLogbook: true,
  cancelledAt: '2026-11-21T07:02:11.004Z',
};

export const taskPageExample = { items: [taskExample], nextCursor: null, hasMore: false };
