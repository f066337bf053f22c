import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formats } from '../../reports/formats/formats.ts'
import type { Report } from '../../schemas/types.ts'
import { chrome, launchOptions, noBrowser } from '../support/browser.ts'
import { failing } from '../support/page-reports.ts'

let browser: Browser

describe.skipIf(chrome === undefined)(
  `the page on a phone and without scripts${chrome ? '' : `, ${noBrowser}`}`,
  () => {
    beforeAll(async () => {
      browser = await chromium.launch(launchOptions)
    })
    afterAll(() => browser.close())

    async function open(report: Report, options: BrowserContextOptions = {}) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      await page.setContent(formats.html.write(report) as string)
      return { page, close: () => context.close() }
    }

    test('holds the longest words and figures of a phone on its width', async () => {
      const [some] = failing.profiles
      const many = { passed: 123, total: 124 }
      const profiles = [
        { ...some!, profile: 'vulnerabilities' as const, must: many, should: many, verdict: failing.verdict },
      ]
      const { page, close } = await open({ ...failing, profiles }, { viewport: { width: 320, height: 800 } })
      const lines = await page.locator('h1').evaluate((title) => title.getBoundingClientRect().height)

      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      expect(lines).toBeLessThan(40)
      await close()
    })

    test('shows nothing that only a script could do where none runs', async () => {
      const { page, close } = await open(failing, { javaScriptEnabled: false })

      expect(await page.locator('.filters:visible, .copy:visible').count()).toBe(0)
      expect(await page.locator('.finding:visible').count()).toBe(4)
      await close()
    })

    test('leads to each of its parts, and says what to do about what could not be decided', async () => {
      const { page, close } = await open({ ...failing, left: ['a/b'], problems: ['the run was interrupted'] })
      const parts = await page.locator('main > section').evaluateAll((all) => all.map(({ id }) => id))
      const links = await page.locator('.contents a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))

      expect(links.toSorted()).toEqual(parts.map((id) => `#${id}`).toSorted())
      expect(await page.locator('.reason summary').allTextContents()).toContainEqual(
        expect.stringMatching(/blocked by group\.story\.lists → fix group\.story\.lists first$/),
      )
      await close()
    })
  },
)
