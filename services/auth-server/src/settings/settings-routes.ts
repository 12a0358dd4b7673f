import { type Html, html } from '#shared/html/html.ts';
import { icon } from '../html/icon.ts';
import type { Route } from '../http/route.ts';
import { homePath } from '../sign-in/sign-in-paths.ts';
import { activityTab } from './activity-tab.ts';
import { appsTab } from './apps-tab.ts';
import { dataTab } from './data-tab.ts';
import { planTab } from './plan-tab.ts';
import { profileTab } from './profile-tab.ts';
import { remindersTab } from './reminders-tab.ts';
import { securityTab } from './security-tab.ts';
import { sessionsTab } from './sessions-tab.ts';
import { type SettingsTab, tabRoutes } from './settings-tab.ts';
import { tokensTab } from './tokens-tab.ts';

/** The one list of the settings' pages, in the order of the navigation. */
const tabs: readonly SettingsTab[] = [
  profileTab,
  securityTab,
  remindersTab,
  tokensTab,
  appsTab,
  sessionsTab,
  activityTab,
  planTab,
  dataTab,
];

export const settingsRoutes: readonly Route[] = tabs.flatMap((tab) => tabRoutes(tab, navigationOf(tab)));

function navigationOf(current: SettingsTab): Html {
  const links = tabs.map((tab) => {
    const mark = tab === current && html` aria-current="page"`;
    return html`<a href="${tab.path}"${mark}>${icon(tab.icon)}${tab.label}</a>\n`;
  });
  return html`<nav class="tabs" aria-label="Settings">
<a class="home" href="${homePath}">${icon('back')}Your tasks</a>
<div class="row-of-tabs">
${links}</div></nav>`;
}
