import { named } from './did-you-mean.ts'
import type { Fault } from './fault.ts'
import { authConnectionFaults } from './faults/auth/connection.ts'
import { refusedCallFaults } from './faults/auth/effects.ts'
import { credentialElsewhereFaults } from './faults/auth/elsewhere.ts'
import { authForgeryFaults } from './faults/auth/forgeries.ts'
import { identityTokenFaults } from './faults/auth/identity-tokens.ts'
import { authRefusesFaults } from './faults/auth/refuses.ts'
import { authRequiredFaults } from './faults/auth/required.ts'
import { bindingCreateFaults } from './faults/bindings/create.ts'
import { bindingDeleteFaults } from './faults/bindings/delete.ts'
import { bindingHydratedFaults } from './faults/bindings/hydrated.ts'
import { reboundFaults } from './faults/bindings/rebound.ts'
import { cellFaults } from './faults/cells/all.ts'
import { doorFaults } from './faults/doors/all.ts'
import { errorFaults } from './faults/errors.ts'
import { groupCreateFaults } from './faults/groups/create.ts'
import { groupDeleteFaults } from './faults/groups/delete.ts'
import { groupDeleteNotEmptyFaults } from './faults/groups/delete-not-empty.ts'
import { groupDeleteReposFaults } from './faults/groups/delete-repos.ts'
import { groupDescriptionFaults } from './faults/groups/description.ts'
import { groupGetFaults } from './faults/groups/get.ts'
import { groupNameFaults } from './faults/groups/name.ts'
import { groupUidFaults } from './faults/groups/uid.ts'
import { groupUpdateFaults } from './faults/groups/update.ts'
import { groupUpdateConcurrentFaults } from './faults/groups/update-concurrent.ts'
import { groupUpdateMaskFaults } from './faults/groups/update-mask.ts'
import { groupUpdateRefusedFaults } from './faults/groups/update-refused.ts'
import { groupUpdateTimeFaults } from './faults/groups/update-time.ts'
import { groupVerifiedFaults } from './faults/groups/verified.ts'
import { grpcAccessFaults } from './faults/grpc/access.ts'
import { grpcContentFaults } from './faults/grpc/content.ts'
import { grpcCredentialFaults } from './faults/grpc/credentials.ts'
import { grpcForeignFaults } from './faults/grpc/foreign.ts'
import { grpcListFaults } from './faults/grpc/lists.ts'
import { grpcProtocolFaults } from './faults/grpc/protocols.ts'
import { grpcPublishedFaults } from './faults/grpc/published.ts'
import { grpcRefusalFaults } from './faults/grpc/refusals.ts'
import { grpcSendingFaults } from './faults/grpc/sending.ts'
import { grpcStatusFaults } from './faults/grpc/statuses.ts'
import { grpcTokenFaults } from './faults/grpc/tokens.ts'
import { grpcWriteFaults } from './faults/grpc/writes.ts'
import { identityClaimMatchFaults } from './faults/identities/claim-match.ts'
import { identityCreateFaults } from './faults/identities/create.ts'
import { identityDeleteFaults } from './faults/identities/delete.ts'
import { identityGetFaults } from './faults/identities/get.ts'
import { identityUpdateFaults } from './faults/identities/update.ts'
import { kindFaults } from './faults/kinds/of-kinds.ts'
import { listEmptyFaults } from './faults/lists/empty.ts'
import { listFilterFaults } from './faults/lists/filter.ts'
import { listOrderFaults } from './faults/lists/order.ts'
import { ownScopeFaults } from './faults/lists/own-scope.ts'
import { listPageSizeFaults } from './faults/lists/page-size.ts'
import { listPageTokenFaults } from './faults/lists/page-token.ts'
import { listPageTokenExpiryFaults } from './faults/lists/page-token-expiry.ts'
import { listParameterFaults } from './faults/lists/parameters.ts'
import { listRepeatedFaults } from './faults/lists/repeated.ts'
import { listScopeFaults } from './faults/lists/scope.ts'
import { listSkipFaults } from './faults/lists/skip.ts'
import { listTotalFaults } from './faults/lists/total.ts'
import { listWalkFaults } from './faults/lists/walk.ts'
import { listWalkCompleteFaults } from './faults/lists/walk-complete.ts'
import { listWalkConcurrentFaults } from './faults/lists/walk-concurrent.ts'
import { listWordFaults } from './faults/lists/words.ts'
import { neighbourFaults } from './faults/neighbours/all.ts'
import { ordinaryFaults } from './faults/ordinary.ts'
import { publishedFaults } from './faults/published.ts'
import { registryFaults } from './faults/registry.ts'
import { roleFaults } from './faults/roles.ts'
import { runAftermathFaults } from './faults/run/aftermath.ts'
import { runCombinedFaults } from './faults/run/combined.ts'
import { runInvariantsFaults } from './faults/run/invariants.ts'
import { runModelTreeFaults } from './faults/run/model-tree.ts'
import { runModelUpdatesFaults } from './faults/run/model-updates.ts'
import { runQuantityFaults } from './faults/run/quantities.ts'
import { runRacesFaults } from './faults/run/races.ts'
import { stampFaults } from './faults/run/stamps.ts'
import { runTextFaults } from './faults/run/texts.ts'
import { weakEqualityFaults } from './faults/run/weak-equality.ts'
import { stsConditionFaults } from './faults/sts/conditions.ts'
import { stsExchangeFaults } from './faults/sts/exchange.ts'
import { stsIdentityTokensFaults } from './faults/sts/identity-tokens.ts'
import { stsLifetimeFaults } from './faults/sts/lifetime.ts'
import { stsMatchingFaults } from './faults/sts/matching.ts'
import { stsNearClaimFaults } from './faults/sts/near-claims.ts'
import { stsObservedFaults } from './faults/sts/observed.ts'
import { stsOperationFaults } from './faults/sts/operations.ts'
import { stsSequencesFaults } from './faults/sts/sequences.ts'
import { timeFaults } from './faults/time.ts'
import { togetherFaults } from './faults/together/all.ts'
import { unusualAssumedFaults } from './faults/unusual/assumed.ts'
import { unusualBindingFaults } from './faults/unusual/bindings.ts'
import { cascadeFaults } from './faults/unusual/cascades.ts'
import { unusualCountFaults } from './faults/unusual/counts.ts'
import { unusualCredentialFaults } from './faults/unusual/credentials.ts'
import { oldThingFaults } from './faults/unusual/days.ts'
import { unusualHistoryFaults } from './faults/unusual/histories.ts'
import { otherKindFaults } from './faults/unusual/kinds.ts'
import { unusualListFaults } from './faults/unusual/lists.ts'
import { unusualVersionWriteFaults } from './faults/unusual/protocols.ts'
import { unusualRaceFaults } from './faults/unusual/races.ts'
import { relatedFaults } from './faults/unusual/related.ts'
import { repeatedChangeFaults } from './faults/unusual/repeats.ts'
import { unusualTextFaults } from './faults/unusual/texts.ts'
import { unusualPageFaults } from './faults/unusual/tokens.ts'
import { unusualUpdateFaults } from './faults/unusual/updates.ts'
import { betweenVersionsFaults } from './faults/unusual/versions.ts'
import { updateFaults } from './faults/updates.ts'
import { v1GroupsFaults } from './faults/v1/groups.ts'
import { v1NearbyFaults } from './faults/v1/nearby.ts'
import { v1OtherKindFaults } from './faults/v1/other-kinds.ts'
import { v1ReposFaults } from './faults/v1/repos.ts'
import { v1TextFaults } from './faults/v1/texts.ts'
import { v1UpdateFaults } from './faults/v1/update.ts'
import { wireFaults } from './faults/wire.ts'

/** Every fault that the suite must find. */
export const faults: readonly Fault[] = [
  ...authConnectionFaults,
  ...refusedCallFaults,
  ...credentialElsewhereFaults,
  ...authForgeryFaults,
  ...authRefusesFaults,
  ...identityTokenFaults,
  ...authRequiredFaults,
  ...bindingCreateFaults,
  ...bindingDeleteFaults,
  ...bindingHydratedFaults,
  ...reboundFaults,
  ...errorFaults,
  ...groupCreateFaults,
  ...groupDeleteFaults,
  ...groupDeleteNotEmptyFaults,
  ...groupDeleteReposFaults,
  ...groupDescriptionFaults,
  ...groupGetFaults,
  ...groupNameFaults,
  ...groupUidFaults,
  ...groupUpdateFaults,
  ...groupUpdateConcurrentFaults,
  ...groupUpdateMaskFaults,
  ...groupUpdateRefusedFaults,
  ...groupUpdateTimeFaults,
  ...groupVerifiedFaults,
  ...identityClaimMatchFaults,
  ...identityCreateFaults,
  ...identityDeleteFaults,
  ...identityGetFaults,
  ...identityUpdateFaults,
  ...kindFaults,
  ...listEmptyFaults,
  ...listFilterFaults,
  ...listOrderFaults,
  ...ownScopeFaults,
  ...listPageSizeFaults,
  ...listPageTokenFaults,
  ...listPageTokenExpiryFaults,
  ...listParameterFaults,
  ...listRepeatedFaults,
  ...listScopeFaults,
  ...listSkipFaults,
  ...listTotalFaults,
  ...listWalkFaults,
  ...listWalkCompleteFaults,
  ...listWalkConcurrentFaults,
  ...listWordFaults,
  ...publishedFaults,
  ...registryFaults,
  ...roleFaults,
  ...runAftermathFaults,
  ...runCombinedFaults,
  ...runInvariantsFaults,
  ...runModelTreeFaults,
  ...runModelUpdatesFaults,
  ...runQuantityFaults,
  ...runRacesFaults,
  ...runTextFaults,
  ...weakEqualityFaults,
  ...stsConditionFaults,
  ...stsOperationFaults,
  ...stsExchangeFaults,
  ...stsIdentityTokensFaults,
  ...stsLifetimeFaults,
  ...stsMatchingFaults,
  ...stsNearClaimFaults,
  ...stsObservedFaults,
  ...stsSequencesFaults,
  ...timeFaults,
  ...updateFaults,
  ...v1GroupsFaults,
  ...v1NearbyFaults,
  ...v1OtherKindFaults,
  ...v1ReposFaults,
  ...v1TextFaults,
  ...v1UpdateFaults,
  ...wireFaults,
  ...grpcAccessFaults,
  ...grpcContentFaults,
  ...grpcCredentialFaults,
  ...grpcProtocolFaults,
  ...grpcForeignFaults,
  ...grpcListFaults,
  ...grpcPublishedFaults,
  ...grpcRefusalFaults,
  ...grpcSendingFaults,
  ...grpcStatusFaults,
  ...grpcTokenFaults,
  ...grpcWriteFaults,
  ...unusualListFaults,
  ...unusualTextFaults,
  ...unusualHistoryFaults,
  ...betweenVersionsFaults,
  ...otherKindFaults,
  ...unusualRaceFaults,
  ...togetherFaults,
  ...unusualAssumedFaults,
  ...unusualBindingFaults,
  ...cascadeFaults,
  ...oldThingFaults,
  ...repeatedChangeFaults,
  ...unusualCountFaults,
  ...unusualCredentialFaults,
  ...relatedFaults,
  ...unusualVersionWriteFaults,
  ...unusualPageFaults,
  ...unusualUpdateFaults,
  ...neighbourFaults,
  ...ordinaryFaults,
  ...stampFaults,
  ...doorFaults,
  ...cellFaults,
]

/** Those that break what almost every requirement needs. */
export const basicFaults: readonly Fault[] = faults.filter(({ basic }) => basic)

/** The fault with this name; throws if there is none, and suggests the nearest. */
export const faultNamed = (name: string): Fault => named('fault', faults, name)
