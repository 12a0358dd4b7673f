/** Days from the day of the first start. */
type Days = number;

export type SampleTask = {
  title: string;
  due?: Days;
  deadline?: Days;
  /** A fixed date: the next Friday, or the next first of a month. */
  dueOn?: 'friday' | 'first-of-month';
  reminderTime?: string;
  description?: string;
  /** Ticked if it starts with «✓». */
  checklist?: readonly string[];
  recurrence?: { frequency: string; interval: number; weekdays?: string[] };
  /** Final transition. */
  end?: 'complete' | 'cancel' | 'trash';
};

type SampleProject = {
  title: string;
  area?: string;
  description?: string;
  deadline?: Days;
  tasks: readonly SampleTask[];
  sections?: readonly { title: string; tasks: readonly SampleTask[] }[];
};

export const sampleAreas = ['Home', 'Work'] as const;

/** Sample data: a week with a move and a report, in display order. */
export const sampleProjects: readonly SampleProject[] = [
  {
    title: 'Move to the new flat',
    area: 'Home',
    description: 'Everything for the **move**: papers, boxes, people.',
    deadline: 30,
    tasks: [
      {
        title: 'Pack the kitchen',
        due: 3,
        reminderTime: '09:30',
        checklist: ['✓Glasses', 'Plates', 'The drawer nobody opens'],
      },
      { title: 'Ask friends to help carry', due: 1 },
      { title: 'Book the van', end: 'complete' },
    ],
    sections: [
      {
        title: 'Papers',
        tasks: [
          { title: 'Cancel the old electricity contract', deadline: 14 },
          {
            title: 'Register the new address',
            description:
              'Bring:\n\n- passport\n- [confirmation of the landlord](https://example.com/form)\n- patience',
          },
          { title: 'Sign the lease', end: 'complete' },
        ],
      },
    ],
  },
  {
    title: 'Quarterly report',
    area: 'Work',
    description: 'Ten pages at most. Mara reads it before it goes out.',
    deadline: 4,
    tasks: [
      { title: 'Check the figures with Mara', due: 0, reminderTime: '14:00' },
      { title: 'Draft the summary', due: 1, deadline: 3 },
      { title: 'Collect the figures from sales', end: 'complete' },
    ],
    sections: [
      {
        title: 'Text',
        tasks: [
          {
            title: 'Write the outlook',
            due: 2,
            checklist: ['✓Last year’s promises', '✓What became of them', 'Next quarter', 'Risks'],
          },
          { title: 'Ask for a cover photo', end: 'cancel' },
        ],
      },
    ],
  },
  {
    title: 'Website relaunch',
    area: 'Work',
    tasks: [{ title: 'Review the texts of the start page', due: -1 }],
    sections: [
      {
        title: 'Launch',
        tasks: [
          {
            title: 'Redirect the old addresses',
            due: 6,
            checklist: ['✓List them', '✓Find the new ones', 'Write the rules', 'Try them'],
          },
          { title: 'Announce the relaunch', due: 9, deadline: 10 },
        ],
      },
    ],
  },
  {
    title: 'Learn the API',
    tasks: [
      {
        title: 'Read the API reference',
        due: 0,
        description: 'It is served beside the API, under `/api/public/v1/docs`.',
      },
      { title: 'Write a script that adds a task' },
    ],
  },
];

/** Without a project: in the inbox if they have no date. */
export const sampleTasks: readonly SampleTask[] = [
  { title: 'Buy light bulbs', description: 'E27, warm white' },
  { title: 'An idea to sort later', description: 'Notes are *Markdown*.' },
  { title: 'Sort the photos of the trip' },
  { title: 'Return the library books', due: -2 },
  { title: 'Call the dentist', due: 0, reminderTime: '10:30' },
  { title: 'Buy a birthday present for Noor', due: 0, deadline: 2 },
  {
    title: 'Water the plants',
    due: 0,
    recurrence: { frequency: 'weekly', interval: 1, weekdays: ['monday', 'thursday'] },
  },
  { title: 'Dinner with Sam', due: 2, reminderTime: '19:00' },
  {
    title: 'Back up the laptop',
    dueOn: 'friday',
    recurrence: { frequency: 'weekly', interval: 2, weekdays: ['friday'] },
  },
  { title: 'Pay the rent', dueOn: 'first-of-month', recurrence: { frequency: 'monthly', interval: 1 } },
  {
    title: 'Renew the passport',
    due: 20,
    description: 'The photo must be *less than six months* old.\n\n1. Book an appointment\n2. Pay the fee',
    checklist: ['Photo', 'Old passport', 'Fee'],
  },
  {
    title: 'Take out the recycling',
    due: 0,
    recurrence: { frequency: 'weekly', interval: 1 },
    end: 'complete',
  },
  { title: 'Fix the bike light', end: 'complete' },
  { title: 'Subscribe to the magazine', end: 'cancel' },
  { title: 'Old shopping list', end: 'trash' },
];

export const sampleSomeday: readonly SampleTask[] = [
  { title: 'Learn to juggle' },
  { title: 'A weekend by the sea' },
  { title: 'Read the long novel' },
];

/** The sample assistant, whose changes can be undone in the app. */
export const assistantName = 'Claude';
export const assistantTasks: readonly (SampleTask & { project: string })[] = [
  { project: 'Move to the new flat', title: 'Order moving boxes', due: 1 },
  {
    project: 'Move to the new flat',
    title: 'Compare moving insurance',
    due: 5,
    description: 'Three offers are enough: price, deductible, what counts as fragile.',
  },
];
export const assistantPlans: readonly { title: string; due?: Days; deadline?: Days }[] = [
  { title: 'Sort the photos of the trip', due: 5 },
  { title: 'Renew the passport', deadline: 27 },
];
