import type { Fields } from './domain/item.ts'
import { during, type Fault, fault, on, type Replacement } from './replace.ts'

/** Groups whose names are held against another pattern; null and what is no text stay refused. */
const pattern = (right: RegExp): Replacement =>
  on('groups', {
    nameProblem: (name) => (typeof name === 'string' && right.test(name) ? undefined : 'a name is not as it should be'),
  })

/** Groups whose create reads the body another way. */
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

/** What goes wrong with names (S2.6). */
export const faultsOfNames: readonly Fault[] = [
  fault(
    'a newline at the end of a name slips past the dollar sign',
    ['group.name.refuses.newline-at-end', 'group.update.name.refused'],
    pattern(/^[a-z0-9 ._-]+\n?$/),
  ),
  fault('one good line makes a good name', ['group.name.refuses.newline-*'], pattern(/^[a-z0-9 ._-]+$/m)),
  fault(
    'any blank is a space',
    ['group.name.refuses.tab', 'group.name.refuses.no-break-space', 'group.update.name.refused'],
    pattern(/^[a-z0-9 \t\u00a0._-]+$/),
  ),
  fault(
    'letters of every alphabet are lower-case letters',
    ['group.name.refuses.non-ascii', 'group.update.name.refused'],
    pattern(/^[\p{Ll}0-9 ._-]+$/u),
  ),
  fault(
    'digits of every script are digits',
    ['group.name.refuses.wide-digit', 'group.update.name.refused'],
    pattern(/^[a-z\p{Nd} ._-]+$/u),
  ),
  fault(
    'the hyphen in the character class makes a range',
    ['group.name.refuses.other-punctuation', 'group.update.name.refused'],
    pattern(/^[a-z0-9 +-._]+$/),
  ),
  fault(
    'only the first letter of a name must not be a capital',
    ['group.name.refuses.upper-case-inside', 'group.update.name.refused'],
    pattern(/^[a-z0-9 ._-][A-Za-z0-9 ._-]*$/),
  ),
  fault(
    'the pattern of names ignores case',
    ['group.name.refuses.upper-case*', 'group.update.name.refused'],
    pattern(/^[a-z0-9 ._-]+$/i),
  ),
  fault(
    'no dot is taken in a name',
    ['group.name.accepts.dot', 'group.name.accepts.every-class', 'group.name.accepts.unusual'],
    pattern(/^[a-z0-9 _-]+$/),
  ),
  fault(
    'no underscore is taken in a name',
    ['group.name.accepts.underscore', 'group.name.accepts.every-class', 'group.name.accepts.unusual'],
    pattern(/^[a-z0-9 .-]+$/),
  ),
  fault(
    'a name must not begin with a digit',
    ['group.name.accepts.digits', 'group.name.accepts.unusual', 'group.update.name.accepts'],
    pattern(/^[a-z ._-][a-z0-9 ._-]*$/),
  ),
  fault(
    'a name may have fifty characters',
    ['group.name.accepts.sixty-three-characters', 'group.update.name.accepts'],
    pattern(/^[a-z0-9 ._-]{1,50}$/),
  ),
  fault(
    'spaces in a name become hyphens',
    ['group.name.accepts.space', 'group.name.accepts.every-class', 'group.name.accepts.unusual'],
    on('groups', {
      stored: (value, field) => (field === 'name' ? String(value).replaceAll(' ', '-') : value),
    }),
  ),
  fault(
    'names are trimmed',
    ['group.name.accepts.unusual'],
    on('groups', { stored: (value, field) => (field === 'name' ? String(value).trim() : value) }),
  ),
  fault(
    'null becomes the name null',
    ['group.name.refuses.null', 'group.create.failed-leaves-nothing'],
    createReads((fields) => (fields.name === null ? { ...fields, name: 'null' } : fields)),
  ),
  fault(
    'a number becomes a name',
    ['group.name.refuses.other-types'],
    createReads((fields) => (typeof fields.name === 'number' ? { ...fields, name: `${fields.name}` } : fields)),
  ),
  fault(
    'a group that is described gets a name for nothing',
    ['group.name.refuses.missing'],
    createReads((fields) => ('description' in fields ? { name: 'unnamed', ...fields } : fields)),
  ),
  fault(
    'an identity needs no name',
    ['identity.name.*'],
    on('identities', during('create', { nameProblem: () => undefined })),
  ),
  fault('an apostrophe is a letter', ['group.name.refuses.any-other'], pattern(/^[a-z0-9 '._-]+$/)),
  fault(
    'an update takes an apostrophe in a name',
    ['group.update.name.any-other'],
    during('update', pattern(/^[a-z0-9 '._-]+$/)),
  ),
  fault(
    'null is no name, not even as text',
    ['group.name.accepts.words', 'group.update.name.accepts'],
    on('groups', (contract) => ({
      nameProblem: (name, at) => (name === 'null' ? 'a name is missing' : contract.nameProblem(name, at)),
    })),
  ),
]
