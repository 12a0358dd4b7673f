export const reminderWords = {
  due: (time: string, day: string | null) =>
    day === null ? `Reminder, ${time}` : `Reminder, ${day}, ${time}`,
  digest: (count: number) => `Today: ${count} ${count === 1 ? 'task' : 'tasks'}`,
  done: 'Done',
  tomorrow: 'Tomorrow',
  isChanged: 'Not done: the task has changed. Open it.',
  isFailed: 'Not done: the service could not be reached. Open the task.',
  isSignedOut: 'Not done: this browser is not signed in.',
  nothingSent: 'Reminders are off: nothing will be sent.',
  turnOn: 'Turn them on',
};
