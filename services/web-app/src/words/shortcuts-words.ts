export const shortcutsWords = {
  singleKeys: 'Keys of one letter (N, T, Space…) are on',
  groups: { everywhere: 'Everywhere', tasks: 'With a task', lists: 'In a list', go: 'Go to' },
  or: 'or',
  after: 'then',
};
