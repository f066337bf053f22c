import { Refusal } from './domain/refusal.ts'
import type { Caller } from './domain/world.ts'
import { type Fault, fault, on, type Replacement, when } from './replace.ts'
import type { Rules } from './rules.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** The replacement in lists that start over because their token is too old. */
const startingOver =
  (change: Partial<Rules> | Replacement): Replacement =>
  (contract) => {
    let old = false
    return {
      ...when(() => old, change)(contract),
      expired(issued, now, at) {
        old = contract.expired(issued, now, at)
        return old
      },
      listBody(parts, at) {
        old = false
        return contract.listBody(parts, at)
      },
    }
  }

function claimsOf(token: string): { iat: number; sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** When an API token was issued, in milliseconds since 1970. */
const issuedAt = (token: string) => claimsOf(token).iat * 1000

/** Changes for how long the tokens of an exchange are taken, those of a login left alone. */
const exchangedTokens =
  (taken: (token: string, now: number, subject: string) => boolean | undefined): Replacement =>
  (contract) => {
    const known = new Map<string, Caller>()
    return {
      async authenticate(token, reader, at) {
        const caller = (await contract.authenticate(token, reader, at)) ?? known.get(token)
        if (!caller?.subject.includes('/')) return caller
        known.set(token, caller)
        const valid = await contract.authenticate(token, reader, at)
        return (taken(token, at.world.now(), caller.subject) ?? valid) ? caller : undefined
      },
    }
  }

/** What goes wrong as time passes. */
export const faultsOfTime: readonly Fault[] = [
  fault(
    'an API token that was taken once is taken for two hours',
    ['sts.token.hour.ends', 'sts.token.hour.own-ends'],
    exchangedTokens((token, now) => now - issuedAt(token) < 2 * hour),
  ),
  fault(
    'API tokens are taken for half an hour',
    ['sts.token.hour.lives', 'sts.token.hour.own'],
    exchangedTokens((token, now) => now - issuedAt(token) < hour / 2),
  ),
  fault('the hour of all API tokens begins with the first exchange', ['sts.token.hour.own'], (contract) => {
    const first = new Map<string, number>()
    return exchangedTokens((token, now, subject) => {
      first.set(subject, first.get(subject) ?? issuedAt(token))
      return now - first.get(subject)! < hour ? undefined : false
    })(contract)
  }),
  fault('another exchange prolongs the API tokens before it', ['sts.token.hour.ends'], (contract) => {
    const last = new Map<string, number>()
    return {
      ...exchangedTokens((_token, now, subject) => now - (last.get(subject) ?? 0) < hour)(contract),
      issued(token, at) {
        last.set(claimsOf(token).sub, issuedAt(token))
        return contract.issued(token, at)
      },
    }
  }),
  fault('an old page token is an error', ['list.token.restarts*'], (contract) => ({
    expired(issued, now, at) {
      if (contract.expired(issued, now, at)) throw new Refusal('invalid', 'page_token', 'it is too old')
      return false
    },
  })),
  fault('page tokens never grow old', ['list.token.restarts*'], () => ({ expired: () => false })),
  fault(
    'page tokens of identities never grow old',
    ['list.token.restarts@identities'],
    on('identities', { expired: () => false }),
  ),
  fault('page tokens live for a day', ['list.token.lives*'], () => ({
    expired: (issued, now) => now - issued > day,
  })),
  fault(
    'page tokens of roles live for a day',
    ['list.token.lives@roles'],
    on('roles', { expired: (issued, now) => now - issued > day }),
  ),
  fault('a page token is as old as its walk', ['list.token.lives*'], (contract) => ({
    cursor: (last, key, order, skipped, now, at) =>
      contract.cursor(last, key, order, skipped, at.query?.cursor?.issued ?? now, at),
  })),
  fault(
    'a list that starts over forgets its filter',
    ['list.token.restarts.filtered'],
    startingOver({ matchesName: () => true }),
  ),
  fault(
    'a list that starts over forgets its order',
    ['list.token.restarts.ordered'],
    startingOver((contract) => ({ order: (_asked, cursor, at) => contract.order(undefined, cursor, at) })),
  ),
  fault(
    'a list that starts over forgets its scope',
    ['list.token.restarts', 'list.token.restarts.*', 'list.token.restarts@*'],
    startingOver({
      candidates: (at) => (at.kind === 'none' ? [] : at.world.store.all(at.kind)),
      withinScope: () => true,
    }),
  ),
  fault(
    'a list that starts over skips its first page',
    ['list.token.restarts*'],
    startingOver((contract) => ({
      page: (rest, skip, size, at) => contract.page(rest.slice(size), skip, size, at),
    })),
  ),
  fault('a list that starts over is empty', ['list.token.restarts*'], startingOver({ page: () => [] })),
  fault(
    'groups are made by a clock that nobody moves',
    ['time.follows'],
    on('groups', (contract) => ({ born: (_now, at) => contract.born(Date.now(), at) })),
  ),
  fault(
    'bindings are made by a clock that nobody moves',
    ['time.follows@roleBindings'],
    on('roleBindings', (contract) => ({ born: (_now, at) => contract.born(Date.now(), at) })),
  ),
  fault(
    'the clock of identities is an hour off',
    ['time.clock.all', 'time.follows@identities'],
    on('identities', (contract) => ({ born: (now, at) => contract.born(now + hour, at) })),
  ),
  fault('what is changed is stamped by a clock that nobody moves', ['time.follows.updates'], (contract) => {
    const really = new Map<string, number>()
    return {
      keep(item, at) {
        really.set(item.uid, Date.now())
        contract.keep(item, at)
      },
      touched(old, differs, now, at) {
        const unmoved = old.createTime + Date.now() - (really.get(old.uid) ?? 0)
        return contract.touched(old, differs, Math.min(now, unmoved), at)
      },
    }
  }),
]
