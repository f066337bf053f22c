import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement } from '../../replace.ts'
import { groupsShown } from './shown.ts'

/** Descriptions of groups that are stored differently. */
const describedAs = (change: (text: string) => string): Replacement =>
  on('groups', {
    stored: (value, field) => (field === 'description' && typeof value === 'string' ? change(value) : value),
  })

/** A text with two of its signs escaped for HTML. */
export const escaped = (text: unknown) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Faults in descriptions (S2.7). */
export const groupDescriptionFaults: readonly Fault[] = [
  fault(
    'a list escapes descriptions for HTML',
    ['group.description.kept'],
    groupsShown('list', (fields) => ({ ...fields, description: escaped(fields.description) })),
  ),
  fault(
    'letters beyond Latin become question marks',
    ['group.description.kept'],
    describedAs((text) => text.replace(/[^\u0000-\u00ff]/g, '?')),
  ),
  fault(
    'two blanks in a description become one',
    ['group.description.kept'],
    describedAs((text) => text.replace(/ {2}/g, ' ')),
  ),
  fault('the description of one group appears in the next one that has none', ['group.description.optional'], () => {
    let last = ''
    return {
      stored(value, field) {
        if (field === 'description' && typeof value === 'string') last = value
        return value
      },
      newborn: (at) => ({
        description: last,
        ...(at.kind === 'groups' ? { resourceLimits: {}, verified: false } : {}),
      }),
    }
  }),
  fault(
    'a description has at most fifty letters',
    {
      turnsRed: ['group.description.ordinary', 'group.description.long'],
      spreadsTo: ['group.update.any-text', 'v1.group.agrees'],
    },
    on('groups', {
      descriptionProblem: (description) =>
        String(description ?? '').length > 50 ? 'a description has at most 50 letters' : undefined,
    }),
  ),
  fault(
    'a description that is a number is accepted, and shown as a number',
    { turnsRed: ['model.group.content'], spreadsTo: ['model.inputs.values'] },
    on('groups', (contract) => ({
      descriptionProblem: (description, at) =>
        typeof description === 'number' ? undefined : contract.descriptionProblem(description, at),
    })),
  ),
]
