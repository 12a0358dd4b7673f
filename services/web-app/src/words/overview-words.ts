export const upcomingWords = {
  empty: 'Give a task a date and it waits here.',
  restOf: (month: string) => `Rest of ${month}`,
  later: 'Later',
};

export const anytimeWords = {
  empty: 'Nothing to do at any time.',
  noProject: 'Without a project',
  showMore: (count: number) => `Show ${count.toLocaleString('en')} more`,
};
