/** The pages of the settings, by their paths. */
export const settingsTabs = {
  profile: '/settings',
  tokens: '/settings/api',
  apps: '/settings/apps',
  sessions: '/settings/sessions',
  activity: '/settings/activity',
} as const;

export type SettingsTab = (typeof settingsTabs)[keyof typeof settingsTabs];
