import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allSpecs } from '../support/generate-all-specs.ts'

test('every spec file is imported, in the order of the sections', () => {
  const file = new URL('../../specs/all.spec.ts', import.meta.url)
  const generated = allSpecs()
  if (process.env.UPDATE_SPECS) writeFileSync(file, generated)

  expect(readFileSync(file, 'utf8')).toBe(generated)
})
