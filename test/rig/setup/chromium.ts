import { findChromium } from '../chromiumPath.ts';
import { canInstallPackages, installPackages } from './debian.ts';
import { SetupError } from './setupError.ts';

/** Sees to it that a Chromium is there. */
export function ensureChromium(): void {
  if (findChromium() !== undefined) return;
  // Without fonts of its own choice the browser would draw every letter as a box.
  if (canInstallPackages()) installPackages(['chromium', 'fonts-liberation', 'fonts-dejavu-core']);
  if (findChromium() !== undefined) return;
  throw new SetupError(
    'The editor tests need Chromium, Chrome or Edge, and none was found. Install one (on Debian as root: ' +
      '`apt-get install chromium fonts-liberation`), or name its program in the variable CHROMIUM.',
  );
}
