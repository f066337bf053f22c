import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { packageRoot } from '../../cli/input/package.ts'
import type { Row } from '../../reports/judge/outcome.ts'

/** Shared by the tests of formats. */
export const named = ({ header, ...rest }: Row, id: string): Row => ({ ...rest, header: { ...header, id } })

/** Shared by the tests of formats. */
export const ajv = new Ajv2020({ allErrors: true, strict: false })
ajvFormats.default(ajv)

/** Shared by the tests of formats. */
export const isReport = ajv.compile(JSON.parse(readFileSync(`${packageRoot}/schemas/report.json`, 'utf8')))
