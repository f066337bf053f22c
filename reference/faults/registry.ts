import { type Fault, fault } from '../fault.ts'
import { during, on } from '../replace.ts'

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
    'Get of a repo tells another name than List',
    ['repo.get.answers'],
    on(
      'repos',
      during('get', (contract) => ({
        repo: (...given) => ({ ...contract.repo(...given), name: 'library' }),
      })),
    ),
  ),
  fault(
    'a repo does not tell when it was made',
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
]
