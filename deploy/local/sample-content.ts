/** What a first start fills the account with; dates are days from today. */
export type SampleTask = {
  title: string;
  description?: string;
  dueInDays?: number;
  deadlineInDays?: number;
  reminderTime?: string;
  recurrence?: { frequency: string; interval: number; weekdays?: string[] };
  checklist?: readonly string[];
  place?: 'project' | 'section' | 'inbox' | 'someday';
};

export type SampleProject = {
  title: string;
  description?: string;
  deadlineInDays?: number;
  inArea: boolean;
  section?: string;
  tasks: readonly SampleTask[];
};

export const SAMPLE_AREA = 'Home';

export const SAMPLE_PROJECTS: readonly SampleProject[] = [
  {
    title: 'Move to the new flat',
    description: 'Everything for the **move**: papers, boxes, people.',
    deadlineInDays: 30,
    inArea: true,
    section: 'Papers',
    tasks: [
      {
        title: 'Pack the kitchen',
        dueInDays: 3,
        reminderTime: '09:30',
        checklist: ['Glasses', 'Plates', 'The drawer nobody opens'],
      },
      { title: 'Ask friends to help carry', dueInDays: 1 },
      { title: 'Cancel the old electricity contract', place: 'section', deadlineInDays: 14 },
      {
        title: 'Register the new address',
        place: 'section',
        description:
          'Bring:\n\n- passport\n- [confirmation of the landlord](https://example.com/form)\n- patience',
      },
    ],
  },
  {
    title: 'Learn the API',
    inArea: false,
    tasks: [
      {
        title: 'Read the API reference',
        dueInDays: 0,
        description: 'It is served beside the API, under `/api/public/v1/docs`.',
      },
      { title: 'Write a script that adds a task' },
    ],
  },
];

export const SAMPLE_TASKS: readonly SampleTask[] = [
  { title: 'Buy milk', place: 'inbox' },
  { title: 'An idea to sort later', place: 'inbox', description: 'Notes are *Markdown*.' },
  {
    title: 'Water the plants',
    dueInDays: 0,
    recurrence: { frequency: 'weekly', interval: 1, weekdays: ['monday', 'thursday'] },
  },
  { title: 'Learn to juggle', place: 'someday' },
];
