import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formats } from '../../reports/formats/formats.ts'
import { comparisonToHtml } from '../../reports/formats/html/comparison.tsx'
import { compareReports } from '../../reports/model/compare.ts'
import type { Report } from '../../schemas/types.ts'
import { chrome, graveIn, launchOptions, noBrowser } from '../support/browser.ts'
import { about, conformant, failing, harmful, named, reports } from '../support/page-reports.ts'
import { listen } from '../support/runs/servers.ts'
import { nastier, reportWith, row } from '../support/sample-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi-page-'))
let browser: Browser

describe.skipIf(chrome === undefined)(`the page in a browser${chrome ? '' : `, ${noBrowser}`}`, () => {
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions)
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a report as a page, and notes all that a page should never do. */
  async function open(report: Report | string, hash = '', options: BrowserContextOptions = {}) {
    const file = join(folder, `${crypto.randomUUID()}.html`)
    writeFileSync(file, typeof report === 'string' ? report : formats.html.write(report))
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const wrong: string[] = []
    const requests: string[] = []
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => wrong.push(`dialog ${dialog.message()}`)))
    page.on('pageerror', ({ message }) => wrong.push(message))
    page.on('console', (message) => wrong.push(message.text()))
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(pathToFileURL(file).href + hash)
    return { page, wrong, requests, close: () => context.close() }
  }

  const shown = (page: Page) => page.locator('.row:visible').count()
  const isOpen = (page: Page, id: string) =>
    page.evaluate((name) => (document.getElementById(name) as HTMLDetailsElement).open, id)

  test('asks for nothing, and runs nothing that a target wrote', async () => {
    const { page, wrong, requests, close } = await open(harmful)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    await page.locator('#query').fill('script')
    await page.mouse.wheel(0, 20_000)

    expect(await page.evaluate(() => document.scripts.length)).toBe(1)
    expect(await page.locator('img, iframe, object, embed, form, [onerror], [onload]').count()).toBe(0)
    expect(await page.locator('a:not([href^="#"])').count()).toBe(0)
    expect(wrong).toEqual([])
    expect(requests.filter((url) => !url.startsWith('file:') && url !== 'data:,')).toEqual([])
    await close()
  })

  test('could not even if something had slipped in', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked++
      response.end()
    })
    const url = `http://127.0.0.1:${await listen(server)}/`
    const { page, close } = await open(conformant)
    const ran = await page.evaluate(async (address) => {
      const image = `<img src="${address}" onerror="document.title = 1">`
      document.body.insertAdjacentHTML('beforeend', `${image}<iframe src="${address}"></iframe>`)
      const script = document.createElement('script')
      script.textContent = 'document.title = "ran"'
      document.body.append(script)
      const fetched = await fetch(address).then(String, String)
      return `${document.title} ${fetched}`
    }, url)

    expect(ran).toBe('conformant: x TypeError: Failed to fetch')
    expect(asked).toBe(0)
    await close()
    server.close()
  })

  test.each([
    ['conformant', 'light'],
    ['conformant', 'dark'],
    ['failing', 'light'],
    ['failing', 'dark'],
    ['partial', 'light'],
    ['harmful', 'dark'],
  ] as const)('axe finds nothing serious on a %s one, %s', async (name, colorScheme) => {
    const { page, close } = await open(reports[name], '#list.skip.pass', { colorScheme, bypassCSP: true })

    expect(await graveIn(page)).toEqual([])
    await close()
  })

  test.each([
    ['over time', 'light', false],
    ['of several', 'dark', true],
  ] as const)('a comparison %s is as good: %s', async (_what, colorScheme, matrix) => {
    const pages = comparisonToHtml(compareReports([failing, harmful, conformant], matrix))
    for (const width of [390, 1280]) {
      const options = { colorScheme, bypassCSP: true, viewport: { width, height: 800 } }
      const { page, wrong, requests, close } = await open(pages, '', options)
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await page.locator('script, img, iframe, [onerror], a:not([href^="#"])').count()).toBe(0)
      expect([wrong, requests.filter((url) => !url.startsWith('file:') && url !== 'data:,')]).toEqual([[], []])
      expect(await graveIn(page)).toEqual([])
      await close()
    }
  })

  test.each([320, 390, 768, 1400])('does not scroll sideways at %i pixels', async (width) => {
    const { page, close } = await open(harmful, '', { viewport: { width, height: 800 } })
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })

    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await close()
  })

  test('says the verdict first, and findings stand before the list, causes first', async () => {
    const { page, close } = await open(failing)
    const found = await page.locator('.finding h3').allTextContents()

    expect(await page.locator('h1').textContent()).toBe('nonconformant')
    expect(await page.locator('.cause').textContent()).toContain('group.story.lists: it blocks 1 other.')
    expect(found).toEqual(['group.story.lists', 'list.skip.fail', 'list.skip.error', 'list.skip.warning'])
    expect(await page.locator('.call:visible .operation').first().textContent()).toBe('group.create')
    await close()
  })

  test('is searched by word and statement, and filtered by outcome, level and profile', async () => {
    const { page, close } = await open(failing)
    const all = await shown(page)
    const count = async (act: () => Promise<unknown>) => {
      await act()
      const said = await page.locator('#shown').textContent()
      const rows = await shown(page)
      expect(said).toBe(rows === all ? `${all} shown` : `${rows} of ${all} shown`)
      return rows
    }

    expect(all).toBe(8)
    expect(await count(() => page.locator('#query').fill('skip observed'))).toBe(1)
    expect(await count(() => page.locator('#query').fill('s4.2'))).toBe(1)
    expect(await count(() => page.locator('#query').fill(''))).toBe(all)
    expect(await count(() => page.getByLabel(/^inconclusive/).check())).toBe(2)
    expect(await count(() => page.locator('#level').selectOption('observe'))).toBe(0)
    await page.locator('[data-query="R12"]').click()
    expect(await shown(page)).toBe(7)
    await close()
  })

  test('opens what a link leads to, folded or filtered away', async () => {
    const { page, close } = await open(failing, '#list.skip.pass')

    expect(await isOpen(page, 'list.skip.pass')).toBe(true)
    expect(await page.locator('[id="list.skip.pass"] .words dd').first().textContent()).toMatch(/skip=10/)
    await page.locator('#query').fill('nothing has this word')
    expect(await shown(page)).toBe(0)
    await page.evaluate(() => (location.hash = '#list.skip.blocked'))
    await page.waitForFunction(() => document.activeElement?.parentElement?.id === 'list.skip.blocked')
    expect(await isOpen(page, 'list.skip.blocked')).toBe(true)
    expect(await shown(page)).toBe(8)
    await close()
  })

  test('is used by keyboard alone', async () => {
    const { page, close } = await open(failing)
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the results')
    await page.keyboard.press('Enter')
    await page.locator('[id="list.skip.pass"] > summary').focus()
    await page.keyboard.press('Enter')

    expect(await isOpen(page, 'list.skip.pass')).toBe(true)
    await page.locator('.copy:visible').first().focus()
    await page.keyboard.press('Space')
    await page.getByText(/^(Copied|Selected)$/).waitFor({ timeout: 10_000 })
    await close()
  })

  test('on paper shows every finding where all is asked for, and nothing to click', async () => {
    const { page, close } = await open(reportWith(nastier.flatMap((_, index) => about('a', `-${index}`))))
    await page.locator('#print-all').check()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))

    expect(await page.locator('.finding:not([open])').count()).toBe(0)
    expect(await page.locator('.filters:visible, .copy:visible, .contents:visible').count()).toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await page.locator('.finding:not([open])').count()).toBeGreaterThan(0)
    await close()
  })

  test('on paper takes at most six pages where all is not asked for', async () => {
    const { page, close } = await open(reportWith(nastier.flatMap((_, index) => about('a', `-${index}`))))
    const paper = await page.pdf({ format: 'A4' })

    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(6)
    await close()
  })

  test('groups the kinds of a claim, each with its outcome and proof', async () => {
    const rows = ['', '@roles', '@tags'].map((kind, index) =>
      named(row(index === 2 ? 'other' : 'x', index === 1 ? 'pass' : 'fail'), `list.skip.echo${kind}`),
    )
    const { page, close } = await open(reportWith(rows), '#list.skip.echo@tags')

    expect(await page.locator('.finding h3').allTextContents()).toEqual(['list.skip.echo'])
    expect(await isOpen(page, 'list.skip.echo@tags')).toBe(true)
    expect(await page.locator('.named .kind-of').allTextContents()).toEqual(['groups', 'tags'])
    await close()
  })

  test('is read without its script as well', async () => {
    const { page, close } = await open(failing, '', { javaScriptEnabled: false })

    expect(await page.locator('.filters').isVisible()).toBe(false)
    expect(await shown(page)).toBe(8)
    await close()
  })
})
