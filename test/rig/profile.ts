import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTempFolder } from './paths.ts';

/** Settings by their full key, as in a `settings.json`. */
export type Settings = Readonly<Record<string, unknown>>;

/** The folders of one VS Code profile. */
export type Profile = Readonly<{ root: string; userData: string; extensions: string }>;

/** User settings that keep a fresh profile quiet and the same every time. */
export const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  // Otherwise the Chat view opens at start and takes the focus.
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'npm.autoDetect': 'off',
  'remote.autoForwardPorts': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** What a new profile starts with. */
export type ProfileOptions = Readonly<{ root?: string; settings?: Settings; machineSettings?: Settings }>;

/** Makes a profile with user settings (on top of the quiet ones) and, if given, machine settings. */
export function makeProfile(options: ProfileOptions = {}): Profile {
  const root = options.root ?? makeTempFolder('profile');
  const profile = { root, userData: path.join(root, 'data'), extensions: path.join(root, 'ext') };
  mkdirSync(profile.extensions, { recursive: true });
  writeSettings(path.join(profile.userData, 'User'), { ...quietSettings, ...options.settings });
  if (options.machineSettings) writeSettings(path.join(profile.userData, 'Machine'), options.machineSettings);
  return profile;
}

function writeSettings(folder: string, settings: Settings): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}
