import { describe, expect, test } from 'vitest'
import { ConfigurationError, type Values } from '../../helpers/settings/configuration.ts'
import { mergeSettings, readConfig, wantsEmbedded } from '../../helpers/settings/read-configuration.ts'
import { type SettingName, settings } from '../../helpers/settings/settings.ts'
import { enough, problemsOf } from '../support/settings.ts'

test('the group that may be lost holds nothing else that the run knows of', () => {
  const registry = { RMAPI_REGISTRY_GROUP_UID: '/3f2a/0b1c/77/', RMAPI_NONEMPTY_GROUP_UID: '3f2a/99' }
  const lost = (uid: string) => problemsOf({ ...enough, ...registry, RMAPI_NONEMPTY_GROUP_UID: uid })

  expect(readConfig({ ...enough, ...registry }).target).toMatchObject({
    registryGroupUid: '3f2a/0b1c/77',
    nonemptyGroupUid: '3f2a/99',
  })
  for (const uid of ['3f2a', '3F2A/0B1C', '3f2a/0b1c/77', '3f2a/0b1c/'])
    expect(lost(uid)).toEqual([expect.stringMatching(/^RMAPI_NONEMPTY_GROUP_UID .* would be lost with it/)])
  for (const uid of ['3f2a/0b1', '3f2a/0b1c/7', '3f2a/0b1c/77/1']) expect(lost(uid)).toEqual([])
  expect(lost('a b')).toEqual([expect.stringMatching(/not the uid of a group/)])
})

describe('mergeSettings', () => {
  test('takes a flag before the environment before .env', () => {
    const values = mergeSettings(
      { RMAPI_SEED: '1' },
      { RMAPI_SEED: '2', RMAPI_VERSION: ' v2 ', PATH: '/bin' },
      { RMAPI_SEED: '3', RMAPI_VERSION: 'v3', RMAPI_TARGET_NAME: 'file' },
    )

    expect(values).toEqual({ RMAPI_SEED: '1', RMAPI_VERSION: 'v2', RMAPI_TARGET_NAME: 'file' })
  })

  test('lets an empty value stand, so that it is refused and not overlooked', () => {
    expect(mergeSettings({}, { RMAPI_BASE_URL: '' }, { RMAPI_BASE_URL: 'https://a' })).toEqual({
      RMAPI_BASE_URL: '',
    })
  })

  test('refuses every name that is none, with the nearest one or all of them', () => {
    const environment = { RMAPI_BASEURL: 'secret', rmapi_seed: '1', RMAPI_SOMETHING_ELSE_ALTOGETHER: 'x' }
    const mistaken = { RMAPI_ACCES_TOKEN: 'secret' } as Values

    expect(() => mergeSettings({}, environment, mistaken)).toThrow(
      new ConfigurationError([
        'RMAPI_BASEURL is no setting. Did you mean RMAPI_BASE_URL?',
        `RMAPI_SOMETHING_ELSE_ALTOGETHER is no setting. There are: ${Object.keys(settings).join(', ')}.`,
        'RMAPI_ACCES_TOKEN is no setting. Did you mean RMAPI_ACCESS_TOKEN?',
      ]),
    )
  })
})

describe('wantsEmbedded', () => {
  test.each(Object.keys(settings) as SettingName[])('%s', (name) => {
    expect(wantsEmbedded({ [name]: '' })).toBe(!settings[name].ofTarget)
  })

  test('holds where nothing is set', () => expect(wantsEmbedded({})).toBe(true))
})
