import { type Fault, fault } from '../fault.ts'
import { during, on, type Replacement } from '../replace.ts'
import { hiddenFromGet } from './lookups.ts'
import { foundByModel } from './run/histories.ts'
import { depthOf } from './scopes.ts'

/** A fault in the lists of repos, which the model finds among others. */
const onRepos = (name: string, change: Replacement) =>
  fault(name, { turnsRed: ['model.repo.*'], spreadsTo: ['*@repos', 'repo.*'] }, on('repos', change))

/** Faults in repos, tags and advisories (S1.3, S1.4). */
export const registryFaults: readonly Fault[] = [
  fault(
    'a uid with a digit more finds an advisory',
    ['advisory.get.missing'],
    on('advisories', (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? contract.found(uid.slice(0, -1), kind, at),
    })),
  ),
  fault(
    'Get of a repo shows another name than List',
    ['repo.get.answers'],
    on(
      'repos',
      during('get', (contract) => ({
        repo: (...given) => ({ ...contract.repo(...given), name: 'library' }),
      })),
    ),
  ),
  fault(
    'a repo does not show when it was made',
    ['repo.list.answers', 'repo.get.answers'],
    on('repos', (contract) => ({
      repo(...given) {
        const { createTime: _, ...fields } = contract.repo(...given)
        return fields
      },
    })),
  ),
  fault('a write to repos is taken', ['repo.write.unissued'], (contract) => ({
    transport(request, response, serve, at) {
      if (at.kind !== 'repos' || at.operation !== 'none') return contract.transport(request, response, serve, at)
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      return Promise.resolve()
    },
  })),
  fault(
    'tags have an id and no uid',
    ['tag.list.answers'],
    on('tags', (contract) => ({
      tag(...given) {
        const { uid, ...fields } = contract.tag(...given)
        return { id: uid, ...fields }
      },
    })),
  ),
  onRepos('repos are in another order from page two on', (contract) => ({
    sorted: (items, compare, at) =>
      at.page > 1 ? contract.sorted(items, compare, at).toReversed() : contract.sorted(items, compare, at),
  })),
  onRepos('in the order of their times repos end on page two', (contract) => ({
    more: (left, shown, size, at) =>
      !(at.page > 1 && at.query?.order.field === 'createTime') && contract.more(left, shown, size, at),
  })),
  onRepos('repos count one more as skipped where it is many', (contract) => ({
    skipped: (skip, before, at) => contract.skipped(skip, before, at) + (skip > 2 ? 1 : 0),
  })),
  onRepos('by name repos are called in capitals', (contract) => ({
    repo(item, time, at) {
      const repo = contract.repo(item, time, at)
      return at.query?.order.field === 'name' ? { ...repo, name: String(repo.name).toUpperCase() } : repo
    },
  })),
  fault(
    'repos of a name are looked for in the group above too',
    { turnsRed: ['model.repo.members'], spreadsTo: ['model.repo.*', '*@repos', 'repo.*'] },
    on('repos', (contract) => ({
      *candidates(at) {
        if (at.query?.name === undefined) yield* contract.candidates(at)
        else yield* at.world.store.all('repos')
      },
      withinScope(item, at) {
        const scope = at.query?.descendantsOf
        if (at.query?.name === undefined || scope === undefined) return contract.withinScope(item, at)
        return `${item.parent}/`.startsWith(`${scope.slice(0, scope.lastIndexOf('/'))}/`)
      },
    })),
  ),
  fault(
    'repos that are listed by children_of are ordered by the ends of their names',
    foundByModel,
    on('repos', (contract) => ({
      sortKey: (item, field, at) =>
        field === 'name' && at.query?.childrenOf !== undefined
          ? [...item.name].reverse().join('')
          : contract.sortKey(item, field, at),
    })),
  ),
  fault(
    'repos that are listed by children_of skip one too many',
    foundByModel,
    on('repos', (contract) => ({
      page: (rest, skip, size, at) =>
        contract.page(rest, at.query?.childrenOf !== undefined && skip > 0 ? skip + 1 : skip, size, at),
    })),
  ),
  fault(
    'Get does not find a repo whose uid has five parts',
    ['repo.get.answers'],
    hiddenFromGet('repos', (uid) => depthOf(uid) > 4),
  ),
]
