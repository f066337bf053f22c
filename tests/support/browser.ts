import { existsSync } from 'node:fs'

const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A Chromium of this machine: the one that CHROME_PATH names, or one in a usual place. */
export const chrome = process.env.CHROME_PATH || usual.find((path) => existsSync(path))

/** Why tests that need one are left out. */
export const noBrowser =
  'left out: no Chromium was found; install one (on Debian: chromium-headless-shell) or name it in CHROME_PATH'

/** How it is started: as root it takes no sandbox. */
export const launchOptions = {
  ...(chrome === undefined ? {} : { executablePath: chrome }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
}
