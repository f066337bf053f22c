import { randomBytes } from 'node:crypto'
import { type Variant, variant } from '../fault.ts'
import { fills, identity } from './groups-contents.ts'

/** A number of milliseconds, different each time, in a repeating order. */
const scattered = (most: number) => {
  let turn = 0
  return () => 100 + ((turn++ * 7_919) % most)
}

/** Lawful targets that put things of their own beside those of others. */
export const strangerVariants: readonly Variant[] = [
  variant(
    'every new group holds a group of its own name',
    fills(
      'groups',
      () => 0,
      ({ name, description }) => ({ name, description }),
    ),
  ),
  variant(
    'every new group holds a group for each of six stages',
    fills(
      'groups',
      () => 0,
      ...['development', 'build', 'test', 'review', 'staging', 'production'].map((name) => () => ({ name })),
    ),
  ),
  variant(
    'every new group holds a repo',
    fills(
      'repos',
      () => 0,
      () => ({ name: 'hello-world' }),
    ),
  ),
  variant(
    'every new group holds an identity of its own name',
    fills(
      'identities',
      () => 0,
      (group) => ({ ...identity(group), name: group.name }),
    ),
  ),
  variant('every new group holds a default identity within fifteen seconds', (contract) =>
    fills('identities', scattered(15_000), identity)(contract),
  ),
  variant('every new group holds a default group within fifteen seconds', (contract) =>
    fills('groups', scattered(15_000), () => ({ name: 'default' }))(contract),
  ),
  variant('segments have two hundred digits', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups' ? `${parent.uid}/${randomBytes(100).toString('hex')}` : contract.mintUid(parent, at),
  })),
  variant(
    'every new group holds an invite',
    fills(
      'groupInvites',
      () => 0,
      () => ({
        name: '',
        roleUid: '0'.repeat(40),
        email: 'owner@reference.test',
        keyId: '00aa11bb',
        code: '',
        expirationTime: '2036-01-01T00:00:00Z',
      }),
    ),
  ),
  variant(
    'every new group holds an account association a second and a half later',
    fills(
      'accountAssociations',
      () => 1_500,
      () => ({ name: 'billing' }),
    ),
  ),
]
