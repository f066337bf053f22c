import { type Fault, fault } from '../../fault.ts'
import { inV1, on, overGrpc } from '../../replace.ts'
import { storedAs } from '../run/histories.ts'
import { foundByDoors } from './doors.ts'

/** Faults in texts that one kind, protocol or version keeps differently (S2.7, S2.11, R6). */
export const textByDoorFaults: readonly Fault[] = [
  fault(
    'over gRPC two blanks in the description of a group become one',
    foundByDoors,
    overGrpc(
      on(
        'groups',
        storedAs('description', (text) => text.replace(/ {2,}/g, ' ')),
      ),
    ),
  ),
  fault(
    'over gRPC a description of a group that is a number loses zeros at its end',
    foundByDoors,
    overGrpc(
      on(
        'groups',
        storedAs('description', (text) => (/^\d+\.\d+$/.test(text) ? String(Number(text)) : text)),
      ),
    ),
  ),
  fault(
    'over gRPC a backslash at the end of the description of a group is doubled',
    foundByDoors,
    overGrpc(
      on(
        'groups',
        storedAs('description', (text) => text.replace(/\\$/, '\\\\')),
      ),
    ),
  ),
  fault(
    'over gRPC a percent sign with two digits in the description of an identity becomes a character',
    foundByDoors,
    overGrpc(
      on(
        'identities',
        storedAs('description', (text) =>
          text.replace(/%([2-7][0-9A-F])/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        ),
      ),
    ),
  ),
  fault(
    'an account association keeps forty letters of its name',
    foundByDoors,
    on(
      'accountAssociations',
      storedAs('name', (text) => text.slice(0, 40)),
    ),
  ),
  fault(
    'over gRPC an identity provider keeps sixty-four letters of its description',
    foundByDoors,
    overGrpc(
      on(
        'identityProviders',
        storedAs('description', (text) => text.slice(0, 64)),
      ),
    ),
  ),
  fault(
    'over gRPC a subject keeps sixty-four characters',
    foundByDoors,
    overGrpc((contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        if (field !== 'claimMatch' || typeof kept !== 'object' || kept === null) return kept
        const { subject, ...claims } = kept as { subject?: unknown }
        return { ...claims, subject: typeof subject === 'string' ? subject.slice(0, 64) : subject }
      },
    })),
  ),
  fault(
    'an account association loses the quotation marks around its description',
    foundByDoors,
    on(
      'accountAssociations',
      storedAs('description', (text) => text.replace(/^"(.*)"$/, '$1')),
    ),
  ),
  fault(
    'the description of an identity provider is read as JSON where it is some',
    foundByDoors,
    on(
      'identityProviders',
      storedAs('description', (text) => {
        try {
          return JSON.stringify(JSON.parse(text))
        } catch {
          return text
        }
      }),
    ),
  ),
  fault(
    'v1 keeps what is before the hash sign of a description',
    foundByDoors,
    inV1(storedAs('description', (text) => text.replace(/ #.*$/, ''))),
  ),
]
