import { type Command, Option } from 'commander'
import type { Values } from '../../helpers/settings/configuration.ts'
import { mergeSettings } from '../../helpers/settings/read-configuration.ts'
import { withoutSecret } from '../../helpers/settings/setting-checks.ts'
import { type Setting, type SettingName, settings } from '../../helpers/settings/settings.ts'
import { readDotenv } from './dotenv.ts'

const all = Object.entries(settings) as [SettingName, Setting][]

/** Adds a flag to a command for each setting that is not a secret. */
export function addSettings(command: Command): Command {
  command.optionsGroup('The target and the pace, also by environment and .env:')
  for (const [name, { flag, says, isSwitch }] of all) {
    if (flag) command.addOption(new Option(`--${flag}${isSwitch ? '' : ' <value>'}`, `${says} [${name}]`))
  }
  command.addOption(new Option('--ca <file>', 'the same as --ca-file').hideHelp())
  return command.optionsGroup('Options:')
}

/** The settings by flag, environment and `.env` of the current folder, in this order. */
export function valuesOf(options: Record<string, unknown>): Values {
  return mergeSettings(flagsOf(options), process.env, readDotenv())
}

/** One setting as a run would have it, and where that comes from; a secret is not shown. */
export interface Eventually {
  setting: SettingName
  /** Absent if nothing is set and there is no default. */
  value?: string
  from: 'flag' | 'environment' | '.env' | 'default' | 'not set'
}

/** Every setting with where its value comes from. */
export function settledSettings(options: Record<string, unknown>): Eventually[] {
  const values = valuesOf(options)
  const flags = flagsOf(options)
  return all.map(([setting, { secret, says }]) => {
    const value = values[setting]
    const usual = /\(default: ([^()]+)\)$/.exec(says)?.[1]
    if (value === undefined)
      return usual === undefined ? { setting, from: 'not set' } : { setting, value: usual, from: 'default' }
    const from = flags[setting] !== undefined ? 'flag' : process.env[setting] !== undefined ? 'environment' : '.env'
    return { setting, value: secret ? '(hidden)' : setting.endsWith('_URL') ? withoutSecret(value) : value, from }
  })
}

function flagsOf(options: Record<string, unknown>): Values {
  const flags: Values = {}
  for (const [name, { flag }] of all) {
    const value = flag && options[flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
    if (typeof value === 'string') flags[name] = value
    else if (value === true) flags[name] = 'true'
  }
  if (typeof options.ca === 'string') flags.RMAPI_CA_FILE ??= options.ca
  return flags
}

/** How to set the secrets, for the help. */
export function secretsHelp(): string {
  const lines = all.flatMap(([name, { secret, says }]) => (secret ? [`  ${name.padEnd(24)} ${says}`] : []))
  return `By environment or .env only:\n${lines.join('\n')}`
}
