export const reminderWords = {
  due: (time: string) => `Reminder, ${time}`,
  digest: (count: number) => `Today: ${count} ${count === 1 ? 'task' : 'tasks'}`,
  done: 'Done',
  tomorrow: 'Tomorrow',
  isChanged: 'Not done: the task has changed. Open it.',
  isFailed: 'Not done: the service could not be reached. Open the task.',
  isSignedOut: 'Not done: this browser is not signed in.',
};
