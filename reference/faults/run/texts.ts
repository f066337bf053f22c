import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, type Replacement, withBody } from '../../replace.ts'
import { changed, foundByModel, onGroups, storedAs } from './histories.ts'

/** What is sent over gRPC the model judges beside all else. */
const overMessages = { turnsRed: ['model.group.*'], spreadsTo: ['grpc.*'] }

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const nullAsText: Replacement = (contract) => ({
  body(bytes, at) {
    const fields = contract.body(bytes, at)
    return fields?.description === null ? { ...fields, description: String(null) } : fields
  },
})

/** Faults in what is stored of texts that mean something to a parser, a template or a number format. */
export const runTextFaults: readonly Fault[] = [
  fault(
    'a description that is a time is written with milliseconds',
    foundByModel,
    onGroups(
      storedAs('description', (text) =>
        /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))
          ? new Date(text).toISOString()
          : text,
      ),
    ),
  ),
  fault(
    'two signs in a description bring back what a template had there',
    foundByModel,
    onGroups(storedAs('description', (text) => '{}'.replace('{}', text))),
  ),
  fault(
    'an entity in the description of an identity becomes its sign',
    foundByModel,
    on(
      'identities',
      storedAs('description', (text) => text.replace(/&(amp|lt|gt|quot);/g, (entity) => entities[entity]!)),
    ),
  ),
  fault(
    'what follows a semicolon is left out of the description of an identity',
    foundByModel,
    on(
      'identities',
      storedAs('description', (text) => text.split(';')[0]!),
    ),
  ),
  fault(
    'names of more than sixteen digits are rounded',
    foundByModel,
    onGroups(storedAs('name', (text) => (/^[1-9]\d{16,}$/.test(text) ? String(BigInt(Number(text))) : text))),
  ),
  fault(
    'a group that is called yes is called true',
    { turnsRed: ['group.name.accepts.words', 'group.update.name.accepts'], spreadsTo: [] },
    onGroups(
      storedAs(
        'name',
        (text) =>
          new Map([
            ['yes', 'true'],
            ['no', 'false'],
            ['off', 'false'],
          ]).get(text) ?? text,
      ),
    ),
  ),
  fault(
    'a group whose description is its name has none',
    foundByModel,
    onGroups((contract) => ({
      ...changed(contract, (_old, next) => (next.description === next.name ? { ...next, description: '' } : next)),
      keep: (item, at) => contract.keep(item.description === item.name ? { ...item, description: '' } : item, at),
    })),
  ),
  fault(
    'a bad name of more than a hundred letters is refused without a description',
    foundByModel,
    onGroups(
      withBody((sent, contract) => ({
        errorDetails(refusal, info, at) {
          const details = contract.errorDetails(refusal, info, at)
          const { name } = sent(at)
          if (refusal.field !== 'name' || typeof name !== 'string' || name.length <= 100) return details
          return details.map((detail) =>
            'fieldViolations' in detail ? { ...detail, fieldViolations: [{ field: 'name' }] } : detail,
          )
        },
      })),
    ),
  ),
  fault(
    'a description over gRPC has at most sixty-four letters',
    overMessages,
    overGrpc(storedAs('description', (text) => text.slice(0, 64))),
  ),
  fault(
    'letters of other alphabets are taken in a name over gRPC',
    overMessages,
    overGrpc(
      onGroups((contract) => ({
        nameProblem: (name, at) =>
          typeof name === 'string' && /^[\p{Ll}0-9 ._-]+$/u.test(name) ? undefined : contract.nameProblem(name, at),
      })),
    ),
  ),
  fault(
    'underscores in descriptions become blanks',
    foundByModel,
    storedAs('description', (text) => text.replaceAll('_', ' ')),
  ),
  fault(
    'three full stops in a description become an ellipsis',
    foundByModel,
    storedAs('description', (text) => text.replaceAll('...', '\u2026')),
  ),
  fault(
    'a group that is called by a word, a hyphen and a number loses the number',
    foundByModel,
    onGroups(storedAs('name', (text) => text.replace(/^([a-z]+)-\d+$/, '$1'))),
  ),
  fault(
    'a description in quotation marks loses them',
    foundByModel,
    storedAs('description', (text) => text.replace(/^"(.*)"$/s, '$1')),
  ),
  fault(
    'a description that is called undefined is none',
    foundByModel,
    storedAs('description', (text) => (text === 'undefined' ? '' : text)),
  ),
  ...(['groups', 'identities'] as const).map((kind) =>
    fault(
      `a null in place of a description becomes a text, of new ${kind}`,
      foundByModel,
      on(kind, during('create', nullAsText)),
    ),
  ),
  fault(
    'an update with null in place of a description makes a text of it',
    { turnsRed: ['model.group.content'], spreadsTo: ['group.update.null'] },
    onGroups(during('update', nullAsText)),
  ),
]
