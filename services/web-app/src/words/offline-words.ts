export const offlineWords = {
  needsConnection: (page: string) => `“${page.trim()}” needs a connection.`,
};
