import { existsSync } from 'node:fs'
import { parse } from 'dotenv'
import type { Values } from '../../helpers/settings/configuration.ts'
import { didYouMean } from '../../helpers/settings/did-you-mean.ts'
import { textIn } from '../../helpers/settings/setting-files.ts'
import { settings } from '../../helpers/settings/settings.ts'
import { Refused } from './refused.ts'

/** The settings in `.env` of the current folder; refuses each line that is meant as a setting and sets none. */
export function readDotenv(): Values {
  if (!existsSync('.env')) return {}
  const text = read()
  const values = parse(text)
  const problems = text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const [, name] = /^\s*(?:(?:export|set|setx)\s+|\$env:)?(rmapi[-_][\w-]*)/i.exec(line) ?? []
    if (name === undefined || (name in values && name.startsWith('RMAPI_'))) return []
    // the line may hold a secret
    return [`.env line ${index + 1} sets nothing: write it as ${meantBy(name)}=…`]
  })
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  return values
}

function read(): string {
  try {
    return textIn('.env')
  } catch (error) {
    throw new Refused(`.env cannot be read: ${(error as Error).message}`)
  }
}

const meantBy = (name: string) => didYouMean(name.replaceAll('-', '_'), Object.keys(settings)) ?? 'RMAPI_BASE_URL'
