import type { Api } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { makeOne } from '../arrange/populations.ts'
import type { Run } from '../arrange/run.ts'
import { deleteGroup, type Scratch } from '../arrange/scratch.ts'
import { accepted } from '../assertions/refused.ts'
import type { Answer } from '../http/call.ts'

/**
 * Good calls in the place of a case whose point is a refusal: it shows first that they succeed (R56). Where they are
 * refused for what the contract does not show, the case is inconclusive.
 */
export interface Controls {
  /** Makes an ordinary thing of a kind in a group; a group in the case's own, unless they are given. */
  controlCreate(kind?: KindName, parent?: string): Promise<Received>
  /** Gives an ordinary group another description; a new one in that place, unless its uid is given. */
  controlUpdate(uid?: string): Promise<Received>
  /** Deletes an ordinary, empty group that was just made in a group, the case's own unless another is given. */
  controlDelete(parent?: string): Promise<void>
  /** Makes a call that may answer anything, and again while it is forbidden: rights to what is new may spread. */
  whenAllowed(call: () => Promise<Answer>): Promise<Answer>
}

/** The controls of a case; `api` counts as arrangement. */
export function controlsOver({ secondChances }: Run, api: Api, scratch: Scratch): Controls {
  return {
    controlCreate: (kind = 'groups', parent = scratch.uid) => makeOne(scratch, kind, parent),
    controlUpdate: async (uid) =>
      api.groups.update(uid ?? (await scratch.makeGroup()).uid, { description: 'by a good update' }),
    controlDelete: async (parent) => {
      const { uid } = await scratch.makeGroup({}, parent)
      accepted(await deleteGroup(api, scratch, uid), 'Delete of a new and empty group')
    },
    whenAllowed: (call) => secondChances.allow(call),
  }
}
