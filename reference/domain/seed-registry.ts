import type { Item } from './item.ts'
import { hex } from './known-uid.ts'
import type { World } from './world.ts'

const bases = (
  'alpine bash busybox caddy cassandra consul curl deno dex envoy etcd fluentd git go grafana haproxy ' +
  'jdk kafka keycloak kubectl loki mariadb memcached minio nats nginx node php postgres python redis ruby'
).split(' ')

/** What each base name becomes on each shelf: the first holds the most, and all of them hold equal names. */
const suffixes = [['', '-fips', '-dev', '-compat'], ['', '-dev'], [''], ['']] as const

const firstOfJanuary = Date.UTC(2025, 0, 1, 6, 30, 0, 7)

/** Keeps repos with tags and advisories in some groups; two neighbours each were made at the same moment. */
export function seedRegistry(world: World, shelves: readonly Item[], baseNames: number): void {
  let rank = 0
  for (const [depth, shelf] of shelves.entries()) {
    for (const base of bases.slice(0, depth === 3 ? baseNames / 2 : baseNames)) {
      for (const suffix of suffixes[depth] ?? []) {
        const createTime = firstOfJanuary + Math.floor(rank / 2) * 3_671_003
        const repo = make(world, 'repos', shelf, base + suffix, createTime)
        if (suffix === '') seedAbout(world, repo, shelf, createTime, rank)
        rank++
      }
    }
  }
}

function seedAbout(world: World, repo: Item, shelf: Item, time: number, rank: number): void {
  for (const name of rank % 16 === 0
    ? ['latest', `1.${rank}`, `1.${rank}.3`]
    : [rank % 8 === 5 ? 'stable' : 'latest']) {
    const digest = `sha256:${hex('', `${repo.uid} ${name}`, 40)}`
    make(world, 'tags', repo, name, time, { digest, deprecated: rank % 9 === 8 })
  }
  const advisoryId = `ADV-2025-${String(1000 + rank)}`
  make(world, 'advisories', shelf, '', time, {
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
