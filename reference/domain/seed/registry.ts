import type { World } from '../at.ts'
import type { Item } from '../item.ts'
import { hex } from './known-uid.ts'

const bases = (
  'alpine bike busybox kube cassandra consul curl deno dex envoy etcd fluentd git go grafana haproxy ' +
  'jdk kafka keycloak kubectl loki mariadb memcached minio nats nginx node php postgres python redis ruby'
).split(' ')

/** The repos of each base name, by depth of the group: the first group has the most, and all have equal names. */
const suffixes = [['', '-fips', '-dev', '-compat'], ['', '-dev'], [''], ['']] as const

const firstOfJanuary = Date.UTC(2025, 0, 1, 6, 30, 0, 7)

/** Stores repos with tags and advisories in some groups; every two neighbours have the same createTime. */
export function seedRegistry(world: World, groups: readonly Item[], baseNames: number): void {
  let rank = 0
  for (const [depth, group] of groups.entries()) {
    for (const base of bases.slice(0, depth === 3 ? baseNames / 2 : baseNames)) {
      for (const suffix of suffixes[depth] ?? []) {
        const createTime = firstOfJanuary + Math.floor(rank / 2) * 3_671_003
        const repo = make(world, 'repos', group, base + suffix, createTime)
        if (suffix === '') seedAbout(world, repo, group, createTime, rank)
        rank++
      }
    }
  }
}

function seedAbout(world: World, repo: Item, group: Item, time: number, rank: number): void {
  for (const name of rank % 16 === 0
    ? ['latest', `1.${rank}`, `1.${rank}.3`]
    : [rank % 8 === 5 ? 'stable' : rank % 8 === 3 ? 'edge' : 'latest']) {
    const digest = `sha256:${hex('', `${repo.uid} ${name}`, 40)}`
    make(world, 'tags', repo, name, time, { digest, deprecated: rank % 9 === 8 })
  }
  const advisoryId = `ADV-2025-${String(1000 + rank)}`
  make(world, 'advisories', group, '', time, {
    advisoryId,
    artifactName: repo.name,
    artifactType: 'image',
    componentName: `lib${repo.name}`,
    componentType: 'package',
    aliases: [`CVE-2025-${String(10_000 + rank * 7)}`],
  })
}

function make(
  world: World,
  kind: 'repos' | 'tags' | 'advisories',
  place: Item,
  name: string,
  time: number,
  more: Partial<Item> = {},
): Item {
  const uid = `${place.uid}/${hex('', `${place.uid} ${kind} ${name} ${more.advisoryId ?? ''}`, 16)}`
  const times = { createTime: time, updateTime: time + 86_400_000 }
  const item: Item = {
    ...{ kind, uid, parent: place.uid, org: place.org, name },
    ...{ description: kind === 'repos' ? `Images of ${name}.` : '', ...times, ...more },
  }
  world.store.put(item)
  return item
}
