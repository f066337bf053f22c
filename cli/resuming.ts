import type { Target } from '../helpers/config.ts'
import { readKept, toldByKept } from '../helpers/resume.ts'
import type { Selection } from '../helpers/selection.ts'
import { Refused } from './refused.ts'

/** Refuses a file of page tokens that cannot be read, or that another target issued. */
export function mustBeFor({ baseUrl, apiVersion }: Target, path: string): void {
  const kept = read(path)
  if (kept.baseUrl !== baseUrl || kept.apiVersion !== apiVersion) {
    throw new Refused(
      `${path} keeps page tokens of ${kept.baseUrl} (${kept.apiVersion}), and this run examines ${baseUrl} (${apiVersion}).`,
    )
  }
}

function read(path: string) {
  try {
    return readKept(path)
  } catch (error) {
    throw new Refused(`${path} cannot be resumed: ${(error as Error).message}.`)
  }
}

/** The requirements that kept page tokens tell, unless others are picked. */
export function toldAlone(selection: Selection): Selection {
  const { only, skip, profiles } = selection
  return only.length + skip.length + profiles.length > 0 ? selection : { ...selection, only: toldByKept }
}
