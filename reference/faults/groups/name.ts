import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement } from '../../replace.ts'
import { namePattern } from '../name-patterns.ts'
import { foundByModel } from '../run/histories.ts'

/** Groups whose Create reads other fields than the body holds. */
const createReads = (read: (fields: Fields) => Fields): Replacement =>
  on(
    'groups',
    during('create', (contract) => ({
      body(bytes, at) {
        const fields = contract.body(bytes, at)
        return fields && read(fields)
      },
    })),
  )

/** Groups whose update checks no name that is similar to their own. */
const renamedAlike = (form: (name: string) => string): Replacement =>
  on(
    'groups',
    during('update', (contract) => {
      const names = new WeakMap<object, string>()
      return {
        found(uid, kind, at) {
          const item = contract.found(uid, kind, at)
          if (item) names.set(at, item.name)
          return item
        },
        nameProblem(name, at) {
          const isAlike = typeof name === 'string' && form(name) === form(names.get(at) ?? '')
          return isAlike ? undefined : contract.nameProblem(name, at)
        },
      }
    }),
  )

/** Faults in which names are accepted (S2.6). */
export const groupNameFaults: readonly Fault[] = [
  fault(
    'a name must not begin with a digit',
    ['group.name.accepts.digits', 'group.name.accepts.unusual', 'group.update.name.accepts'],
    namePattern(/^[a-z ._-][a-z0-9 ._-]*$/),
  ),
  fault(
    'no dot is taken in a name',
    ['group.name.accepts.dot', 'group.name.accepts.every-class', 'group.name.accepts.unusual'],
    namePattern(/^[a-z0-9 _-]+$/),
  ),
  fault(
    'no hyphen is taken in a name',
    {
      turnsRed: ['group.name.accepts.hyphen'],
      spreadsTo: ['group.name.accepts.*', 'group.update.name.accepts'],
    },
    on('groups', (contract) => ({
      nameProblem: (name, at) => (String(name).includes('-') ? 'has a hyphen' : contract.nameProblem(name, at)),
    })),
  ),
  fault(
    'a name may have fifty characters',
    ['group.name.accepts.sixty-three-characters', 'group.update.name.accepts-long'],
    namePattern(/^[a-z0-9 ._-]{1,50}$/),
  ),
  fault(
    'spaces in a name become hyphens',
    ['group.name.accepts.space', 'group.name.accepts.every-class', 'group.name.accepts.unusual'],
    on('groups', {
      stored: (value, field) => (field === 'name' ? String(value).replaceAll(' ', '-') : value),
    }),
  ),
  fault(
    'names are at least four characters long',
    ['group.name.accepts.three-characters'],
    on('groups', (contract) => ({
      nameProblem: (name, at) => (String(name).length === 3 ? 'is too short' : contract.nameProblem(name, at)),
    })),
  ),
  fault(
    'no underscore is taken in a name',
    ['group.name.accepts.underscore', 'group.name.accepts.every-class', 'group.name.accepts.unusual'],
    namePattern(/^[a-z0-9 .-]+$/),
  ),
  fault(
    'names are trimmed',
    ['group.name.accepts.unusual'],
    on('groups', { stored: (value, field) => (field === 'name' ? String(value).trim() : value) }),
  ),
  fault(
    'null is no name, not even as text',
    ['group.name.accepts.words', 'group.update.name.accepts'],
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        name === 'null' || name === 'none' ? 'a name is missing' : contract.nameProblem(name, at),
    })),
  ),
  fault('an apostrophe is a letter', ['group.name.refuses.any-other'], namePattern(/^[a-z0-9 '._-]+$/)),
  fault(
    'a refused create leaves a group with an at in its name',
    ['group.name.refuses.at', 'group.create.failed-leaves-nothing'],
    on('groups', { leftByRefusedCreate: (draft) => (String(draft.name).includes('@') ? [draft] : []) }),
  ),
  fault(
    'a refused create leaves a group without a name',
    ['group.name.refuses.empty'],
    on('groups', { leftByRefusedCreate: (draft) => [draft] }),
  ),
  fault(
    'a refused create leaves a group where it was described',
    ['group.name.refuses.missing'],
    on('groups', { leftByRefusedCreate: (draft) => (draft.name === '' && draft.description !== '' ? [draft] : []) }),
  ),
  fault(
    'a group that is described gets a name for nothing',
    ['group.name.refuses.missing'],
    createReads((fields) => ('description' in fields ? { name: 'unnamed', ...fields } : fields)),
  ),
  fault('one good line makes a good name', ['group.name.refuses.newline-*'], namePattern(/^[a-z0-9 ._-]+$/m)),
  fault(
    'a newline at the end of a name slips past the dollar sign',
    ['group.name.refuses.newline-at-end', 'group.update.name.refused'],
    namePattern(/^[a-z0-9 ._-]+\n?$/),
  ),
  fault(
    'a name is read from its last line',
    ['group.name.refuses.newline-first', 'group.update.name.refused'],
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(typeof name === 'string' ? (name.split('\n').at(-1) ?? '') || name : name, at),
    })),
  ),
  fault(
    'letters of every alphabet are lower-case letters',
    ['group.name.refuses.non-ascii', 'group.update.name.refused'],
    namePattern(/^[\p{Ll}0-9 ._-]+$/u),
  ),
  fault(
    'null becomes the name null',
    ['group.name.refuses.null', 'group.create.failed-leaves-nothing'],
    createReads((fields) => (fields.name === null ? { ...fields, name: 'null' } : fields)),
  ),
  fault(
    'the hyphen in the character class makes a range',
    ['group.name.refuses.other-punctuation', 'group.update.name.refused'],
    namePattern(/^[a-z0-9 +-._]+$/),
  ),
  fault(
    'a number becomes a name',
    ['group.name.refuses.other-types'],
    createReads((fields) => (typeof fields.name === 'number' ? { ...fields, name: `${fields.name}` } : fields)),
  ),
  fault(
    'a refused create leaves a group with a slash or a picture in its name',
    ['group.name.refuses.slash', 'group.name.refuses.emoji'],
    on('groups', { leftByRefusedCreate: (draft) => (/[/\p{Extended_Pictographic}]/u.test(draft.name) ? [draft] : []) }),
  ),
  fault(
    'any blank is a space',
    ['group.name.refuses.tab', 'group.name.refuses.no-break-space', 'group.update.name.refused'],
    namePattern(/^[a-z0-9 \t\u00a0._-]+$/),
  ),
  fault(
    'the pattern of names ignores case',
    ['group.name.refuses.upper-case*', 'group.update.name.refused'],
    namePattern(/^[a-z0-9 ._-]+$/i),
  ),
  fault(
    'only the first letter of a name must not be a capital',
    ['group.name.refuses.upper-case-inside', 'group.update.name.refused'],
    namePattern(/^[a-z0-9 ._-][A-Za-z0-9 ._-]*$/),
  ),
  fault(
    'digits of every script are digits',
    ['group.name.refuses.wide-digit', 'group.update.name.refused'],
    namePattern(/^[a-z\p{Nd} ._-]+$/u),
  ),
  fault(
    'an update takes an empty name',
    ['group.update.name.empty'],
    on(
      'groups',
      during('update', (contract) => ({
        nameProblem: (name, at) => (name === '' ? undefined : contract.nameProblem(name, at)),
      })),
    ),
  ),
  fault(
    'a group is named with at most twenty-five letters',
    { turnsRed: ['group.name.accepts.thirty-characters'], spreadsTo: ['group.name.accepts.*', 'group.update.name.*'] },
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(name, at) ?? (String(name).length > 25 ? 'a name has at most 25 letters' : undefined),
    })),
  ),
  fault(
    'a name is checked in its first sixty-four characters',
    foundByModel,
    on('groups', (contract) => ({
      nameProblem: (name, at) => contract.nameProblem(typeof name === 'string' ? name.slice(0, 64) : name, at),
    })),
  ),
  fault(
    'a name is checked from its last two hundred and fifty-six characters on',
    foundByModel,
    on('groups', (contract) => ({
      nameProblem: (name, at) => contract.nameProblem(typeof name === 'string' ? name.slice(-256) : name, at),
    })),
  ),
  fault(
    'a rename that changes capitals only is not checked',
    foundByModel,
    renamedAlike((name) => name.toLowerCase()),
  ),
  fault(
    'a rename that adds what is blank is not checked',
    foundByModel,
    renamedAlike((name) => name.trim()),
  ),
  fault(
    'an index of names is a plain object',
    ['group.name.accepts.words', 'group.update.name.accepts', 'group.name.accepts.unusual'],
    on('groups', (contract) => ({
      nameProblem: (name, at) => (String(name) in {} ? 'is something else' : contract.nameProblem(name, at)),
    })),
  ),
]
