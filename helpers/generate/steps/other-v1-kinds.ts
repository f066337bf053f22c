import { type KindName, kinds, madeKinds, publishedKinds, registryKinds } from '../../api/kinds.ts'
import { listedItems } from '../../arrange/listings.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import { type Call, succeeded } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { type Command, make } from '../world.ts'

const shownByV1 = [...madeKinds.filter((kind) => kind !== 'groups'), ...publishedKinds] as const

/** Reads one thing of a kind through v1, and the list that should show it; true where either answers. */
async function readByV1(to: Driver, kind: KindName, home: string, uid?: string): Promise<boolean> {
  const operation = (does: string) => `v1.${kinds[kind].name}.${does}`
  const path = (of?: string) => to.path(kind, of, 'v1')
  const query = kind === 'roles' ? {} : descendantsOf(home)
  // v1 has no gRPC
  const read = (call: Call) => to.send(() => to.run.client.send(call, to.log))
  const answers = await Promise.all([
    read({ operation: operation('list'), method: 'GET', path: path(), query }),
    uid === undefined ? undefined : read({ operation: operation('get'), method: 'GET', path: path(uid) }),
  ])
  return answers.some((answer) => answer !== undefined && succeeded(answer))
}

/** Kinds other than groups, which v1 may have (R44): read through it when they are new, changed and deleted. */
export const otherV1Kinds: readonly Command[] = [
  async (to, { root, leaf }) => {
    const home = root?.group.uid
    if (home === undefined) return
    const away = leaf?.group.uid ?? to.scope
    const [role] = await to.roles()
    await inParallel([...shownByV1], 5, async (kind) => {
      const one = await make(to, kind, home, kinds[kind].described ? { description: to.name() } : {})
      if (one === undefined || !(await readByV1(to, kind, home, one.uid))) return
      // a uid that nobody issued (R38)
      for (const uid of [`${one.uid}0`, one.uid.slice(0, -1)]) await readByV1(to, kind, home, uid)
      // one of the same name beside it, or elsewhere where that is refused (R3)
      const alike = { name: one.name, description: to.name() }
      const isNamed = kinds[kind].named
      const twin = isNamed ? ((await make(to, kind, home, alike)) ?? (await make(to, kind, away, alike))) : undefined
      if (twin) await readByV1(to, kind, home, twin.uid)
      const body = { name: to.name(), description: to.name() }
      if (kinds[kind].described) await to.send(() => to.api[kind].update(one.uid, body))
      // its updateTime is known by a reading after that
      await to.send(() => to.api[kind].get(one.uid))
      await readByV1(to, kind, home, one.uid)
      await to.run.model.settled()
      await to.send(() => to.api[kind].delete(one.uid))
      await readByV1(to, kind, home, one.uid)
    })
    await readByV1(to, 'roles', home, role?.uid)
    const registry = to.run.config.target.registryGroupUid
    if (registry === undefined) return
    await inParallel([...registryKinds], 3, async (kind) => {
      // the last one: the first may be shown in place of any
      const answer = await to.walk(kind, { ...descendantsOf(registry), page_size: 200 })
      const listed = answer ? listedItems(kind, answer) : []
      await readByV1(to, kind, registry, listed.at(-1)?.uid)
    })
  },
]
