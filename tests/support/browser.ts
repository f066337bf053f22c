import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

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

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe finds that is serious or worse. */
export async function graveIn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe })
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
