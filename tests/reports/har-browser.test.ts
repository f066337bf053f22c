import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formats } from '../../reports/formats/formats.ts'
import { chrome, launchOptions, noBrowser } from '../support/browser.ts'
import { exchange, reportWith, row } from '../support/sample-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi-har-'))
let browser: Browser

describe.skipIf(chrome === undefined)(`HAR in a browser${chrome ? '' : `, ${noBrowser}`}`, () => {
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions)
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the exchanges are read by another reader of HAR', async () => {
    const har = join(folder, 'exchanges.har')
    const body = '{"name":"<script>"}'
    const called = exchange(body)
    const { url } = called.request
    const get = { ...called, request: { method: 'GET', url, headers: {} } }
    const answered = {
      ...get,
      response: { ...get.response!, status: 200, headers: { 'content-type': 'text/plain' } },
    }
    writeFileSync(har, formats.har.write(reportWith([{ ...row('x'), exchanges: [answered] }])))
    const context = await browser.newContext()
    await context.routeFromHAR(har, { notFound: 'abort' })
    const page = await context.newPage()
    const answer = await page.goto(url)

    expect(answer?.status()).toBe(200)
    expect(await answer?.text()).toBe(body)
    await context.close()
  })
})
