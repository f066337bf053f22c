import type { Driver } from './driver.ts'
import { inParallel } from './lists.ts'

/** Names outside the regex, one for each way to be so (S2.6, R3). */
const badNames = [
  '', 'A', 'aB', 'a/b', 'a@b', 'a\tb', 'a\n', '\na', 'é', 'a\u00a0b', 'a+b', 'a:b', 'a,b', 'a!b', 'a#b', 'a%b', 'a&b', 'a(b', 'a*b',
  'a=b', 'a?b', 'a[b', 'a\\b', 'a^b', 'a`b', 'a{b', 'a|b', 'a~b', 'a"b', "a'b", 'a;b', 'a<b', 'a$b', 'ａ', 'a\u200bb', 'ß', 'a\r', 'a\u0000b', '🙂',
  // bad for two reasons
  `A${'x'.repeat(80)}`, ` @${'-'.repeat(3)}`,
] // biome-ignore format: a table
/** Names that have to be accepted: each punctuation between letters, the shortest and the longest (R3). */
const ordinaryNames = ['a b', 'a.b', 'a_b', 'a-b', '0a1', '123', 'a b.c_d-e', 'a'.repeat(30), 'z9'.repeat(15)]
/** Descriptions that come back as sent where they are accepted (R6). */
const descriptions = [
  'plain', 'with & and < and "quotes"', "it's", 'Capitals And lower', 'ünïcödé', '日本語', 'a  b', '100%', '{"json": true}', '<b>bold</b>', 'a\\b', '\\u0041',
  '+1 (2)', '🙂', 'null', '0', 'true', '007', '1.50', '1e3', 'x'.repeat(100),
] // biome-ignore format: a table

/** Bodies that are no JSON (R37), around a name. */
const malformed: readonly ((name: string) => string)[] = [
  (name) => `{"name": "${name}",}`,
  (name) => `{"name": "${name}"`,
  (name) => `{'name': '${name}'}`,
  (name) => `{name: "${name}"}`,
  (name) => `{"name": "${name}" "description": "x"}`,
  (name) => `{"name" = "${name}"}`,
  (name) => `["name": "${name}"]`,
  (name) => `{"name": "${name}", "description": NaN}`,
  (name) => `{"name": "${name}" /* a name */}`,
  (name) => `name=${name}`,
  (name) => `{"name": "${name}\n"`,
]

/** Tries enumerated values wherever they may be sent; gives how many. */
export async function askValues(driver: Driver): Promise<number> {
  const { scope, api } = driver
  const [target, identity] = await Promise.all([
    driver.group(scope, { description: 'as it was' }),
    driver.identity(scope),
  ])
  if (target === undefined) return 0
  let masked = 0
  await inParallel(badNames, 4, async (bad) => {
    const name = bad === '' ? '' : bad.replace('a', `a${driver.name()}`.slice(0, 12))
    await driver.send(() => api.groups.create(scope, { name, description: `beside a bad name ${driver.name()}` }))
    // by turns without a mask and with one
    if (masked++ % 2 === 0) await driver.send(() => api.groups.update(target.uid, { name }))
    else
      await driver.send(() =>
        api.groups.update(target.uid, { name, description: 'x' }, { query: { updateMask: 'name' } }),
      )
  })
  await inParallel(malformed, 4, async (write) => {
    await driver.send(() => api.groups.create(scope, { raw: write(driver.name()) }))
    await driver.send(() => api.groups.update(target.uid, { raw: write(driver.name()) }))
  })
  for (const name of [null, 7, ['a'], {}, true]) await driver.send(() => api.groups.create(scope, { name }))
  await driver.frame(['groups'])
  await inParallel(ordinaryNames, 4, async (ordinary) => {
    const made = await driver.group(scope, { name: distinct(ordinary, driver) })
    if (made === undefined) return
    await driver.list('groups', { 'uidp.children_of': scope, name: String(made.name) })
    await driver.send(() => api.groups.update(made.uid, { name: distinct(ordinary, driver) }))
  })
  await inParallel(descriptions, 4, async (description) => {
    const group = await driver.group(scope, { description })
    await driver.send(() => api.groups.update(target.uid, { description }))
    const bound = await driver.identity(scope, { description })
    // what is bound shows in the binding too
    if (bound) await driver.binding(group?.uid ?? scope, bound)
    if (identity) await driver.send(() => api.identities.update(identity.uid, { description }))
  })
  await askClaims(driver)
  await driver.frame()
  return badNames.length + ordinaryNames.length + descriptions.length
}

/** A name of the same form that was never used. */
function distinct(form: string, driver: Driver): string {
  const fresh = driver.name()
  if (form.length <= 3)
    return /[^a-z0-9]/.test(form) ? fresh.slice(0, 7) + form.slice(1) + fresh.slice(7).slice(0, 9) : form
  return form.length === 30 ? (fresh + form).slice(0, 30) : `${fresh} ${form}`.slice(0, 30)
}

/** Subjects and issuers that are shown as they were sent, on the identity and in what binds it (S2.14, R6). */
async function askClaims(driver: Driver): Promise<void> {
  const subjects = ['repo:Acme/Shop:ref', 'a b', 'ünï', 'x'.repeat(120), '*', 'a&b=c', '"quoted"', '.*', 'UPPER', '{}']
  await inParallel(subjects, 3, async (odd) => {
    const name = driver.name()
    const claimMatch = { issuer: `https://issuer.example/${name}/A%20b`, subject: `${odd} ${name}` }
    const made = await driver.identity(driver.scope, { name, claimMatch })
    if (made === undefined) return
    await driver.send(() => driver.api.identities.get(made.uid))
    await driver.binding(driver.scope, made)
    await driver.send(() =>
      driver.api.identities.update(made.uid, { claimMatch: { ...claimMatch, subject: `${name} ${odd}` } }),
    )
  })
}
