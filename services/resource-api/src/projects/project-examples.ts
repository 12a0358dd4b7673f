export const sectionExample = {
  id: '3f0a1c52-3c5e-4d0e-8a6b-5f9a1e2d7c31',
  projectId: '9d3a7f64-1b5b-4e0f-9a57-2f1f6c0b8e20',
  title: 'Before the move',
  createdAt: '2026-11-03T09:31:00.000Z',
  updatedAt: '2026-11-03T09:31:00.000Z',
};

export const projectExample = {
  id: '9d3a7f64-1b5b-4e0f-9a57-2f1f6c0b8e20',
  title: 'Move to Lisbon',
  description: 'Keys at *Rua do Sol*.',
  descriptionHtml: '<p>Keys at <em>Rua do Sol</em>.</p>',
  status: 'active',
  areaId: '0c9b5a7e-52d4-4f1c-9d52-6d1d0c8b7f10',
  deadlineDate: null,
  inTrash: false,
  sections: [sectionExample],
  completedAt: null,
  cancelledAt: null,
  createdAt: '2026-11-03T09:30:00.000Z',
  updatedAt: '2026-11-03T09:30:00.000Z',
};

export const projectCreateExample = {
  title: 'Move to Lisbon',
  description: 'Keys at *Rua do Sol*.',
  areaId: '0c9b5a7e-52d4-4f1c-9d52-6d1d0c8b7f10',
};
