import { isObject } from '../api/received.ts'

/** What a group's name must match (S2.6), as a whole: a trailing newline counts (R3). */
const allowed = /^[a-z0-9 ._-]+$/

/** True for a name that must be refused: outside the regex, missing or null (R3). */
export const isBadName = (name: unknown) =>
  typeof name === 'string' ? !allowed.test(name) || /\n$/.test(name) : name === undefined || name === null

/** True for a name that must be accepted (R3). */
export const isOrdinaryName = (name: unknown): name is string =>
  typeof name === 'string' && name.length >= 3 && name.length <= 30 && /^[a-z0-9]([ ._-]?[a-z0-9])*$/.test(name)

/** True for a name that every kind but groups takes: a DNS label (R3). */
export const isLabel = (name: unknown): name is string => typeof name === 'string' && /^[a-z0-9]{3,30}$/.test(name)

/** True for a description that any server takes, or none at all (R54). */
const isOrdinaryDescription = (text: unknown) =>
  text === undefined || (typeof text === 'string' && /^[A-Za-z0-9]([A-Za-z0-9 .,:;-]{0,98}[A-Za-z0-9.])?$/.test(text))

/** True for a text or none: what became of a wrong type that was accepted, the answer shows (R3, R6, R31). */
export const isText = (value: unknown) => typeof value === 'string' || value === undefined || value === null

/** True for none, or a text that comes back as sent if accepted; others may be trimmed or composed (R6, R54). */
export const isKeptAsSent = (text: unknown) =>
  typeof text === 'string'
    ? text === text.normalize('NFC') && text === text.trim() && !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u.test(text)
    : isText(text)

/** True for a group's body that must be accepted (R3, R6, R54). */
export const isOrdinaryGroup = (body: unknown) =>
  isObject(body) &&
  holdsOnly(body, ['name', 'description']) &&
  isOrdinaryName(body.name) &&
  isOrdinaryDescription(body.description)

/** True for part of a claim match that no limit refuses: the longest length is not shown. */
const isOrdinaryClaim = (text: unknown) => typeof text === 'string' && text.length <= 200

/** True for an identity's body that must be accepted; its claim match may be refused for its issuer (R54, R56). */
export const isOrdinaryIdentity = (body: unknown) =>
  isObject(body) &&
  holdsOnly(body, ['name', 'description', 'claimMatch']) &&
  isLabel(body.name) &&
  isOrdinaryDescription(body.description) &&
  isObject(body.claimMatch) &&
  isOrdinaryClaim(body.claimMatch.issuer) &&
  isOrdinaryClaim(body.claimMatch.subject)

/** True for an update that must be accepted: an ordinary name or description (R26, R31). */
export function isOrdinaryUpdate(body: unknown, mask: string | undefined, isGroup: boolean): boolean {
  if (!isObject(body) || Object.keys(body).length === 0 || !holdsOnly(body, ['name', 'description'])) return false
  if (mask !== undefined && (!['name', 'description'].includes(mask) || body[mask] === undefined)) return false
  const { name, description } = body
  const named =
    name === undefined ||
    (isGroup ? isOrdinaryName(name) : isLabel(name)) ||
    (mask === 'description' && typeof name === 'string')
  return named && (isOrdinaryDescription(description) || (mask === 'name' && typeof description === 'string'))
}

const holdsOnly = (body: Record<string, unknown>, members: readonly string[]) =>
  Object.keys(body).every((member) => members.includes(member))
