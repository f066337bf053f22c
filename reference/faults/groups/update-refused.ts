import { type Fault, fault } from '../../fault.ts'
import { during, on, underMask } from '../../replace.ts'
import { namePattern } from '../name-patterns.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in which updates of a group are refused, and in what a refused one leaves (S4.28, R29). */
export const groupUpdateRefusedFaults: readonly Fault[] = [
  fault(
    'a refused update keeps its good half',
    ['group.update.atomic'],
    on('groups', {
      leftByRefusedUpdate: (before, wanted) => ({ ...before, description: wanted.description }),
    }),
  ),
  fault(
    'an update that is refused for its description keeps the name',
    { turnsRed: foundByModel.turnsRed, spreadsTo: ['identity.update.atomic'] },
    () => ({
      leftByRefusedUpdate: (before, wanted) =>
        /^[a-z0-9 ._-]+$/.test(wanted.name) ? { ...before, name: wanted.name } : before,
    }),
  ),
  fault(
    'a refused update moves updateTime',
    ['group.update.atomic.time'],
    on('groups', {
      leftByRefusedUpdate: (before, _wanted, at) => ({ ...before, updateTime: at.world.now() }),
    }),
  ),
  fault(
    'an update takes an apostrophe in a name',
    ['group.update.name.any-other'],
    during('update', namePattern(/^[a-z0-9 '._-]+$/)),
  ),
  fault(
    'an update does not look at the name',
    {
      turnsRed: ['group.update.name.refused'],
      spreadsTo: ['group.update.name.refused', 'group.update.atomic*', 'error.name.update'],
    },
    on('groups', during('update', { nameProblem: () => undefined })),
  ),
  fault(
    'an update under a mask does not look at the name',
    ['group.update.name.refused', 'group.update.atomic'],
    on('groups', underMask({ nameProblem: () => undefined })),
  ),
  fault('a rename renames all of that name', ['group.update.namesakes'], (contract) => ({
    modify(steps, at) {
      const before = steps.read()
      const next = contract.modify(steps, at)
      if (next instanceof Promise || next.name === before.name || at.kind !== 'groups') return next
      for (const other of at.world.store.all('groups')) {
        if (other.name === before.name) at.world.store.put({ ...other, name: next.name })
      }
      return next
    },
  })),
]
