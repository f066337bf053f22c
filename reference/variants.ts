import { named } from './did-you-mean.ts'
import type { Variant } from './fault.ts'
import { bindingVariants } from './variants/bindings.ts'
import { deleteVariants } from './variants/deletes.ts'
import { errorVariants } from './variants/errors.ts'
import { groupVariants } from './variants/groups.ts'
import { groupContentVariants } from './variants/groups-contents.ts'
import { grpcAnswerVariants } from './variants/grpc/answers.ts'
import { grpcGatewayVariants } from './variants/grpc/gateways.ts'
import { grpcMessageVariants } from './variants/grpc/messages.ts'
import { grpcNameVariants } from './variants/grpc/names.ts'
import { identityVariants } from './variants/identities.ts'
import { jobVariants } from './variants/jobs.ts'
import { limitVariants } from './variants/limits.ts'
import { listCopyVariants } from './variants/lists/copies.ts'
import { listFilterVariants } from './variants/lists/filter.ts'
import { listLagVariants } from './variants/lists/lags.ts'
import { listOrderVariants } from './variants/lists/order.ts'
import { listPageSizeVariants } from './variants/lists/page-size.ts'
import { listPageTokenVariants } from './variants/lists/page-token.ts'
import { listScopeVariants } from './variants/lists/scope.ts'
import { listShapeVariants } from './variants/lists/shape.ts'
import { listSkipVariants } from './variants/lists/skip.ts'
import { listWalkVariants } from './variants/lists/walk.ts'
import { besideVariants } from './variants/products/beside.ts'
import { cacheVariants } from './variants/products/caches.ts'
import { contentionVariants } from './variants/products/contention.ts'
import { databaseVariants } from './variants/products/databases.ts'
import { deploymentVariants } from './variants/products/deployments.ts'
import { productErrorVariants } from './variants/products/errors.ts'
import { kindVariants } from './variants/products/kinds.ts'
import { productNameVariants } from './variants/products/names.ts'
import { providerVariants } from './variants/products/providers.ts'
import { productReaderVariants } from './variants/products/readers.ts'
import { rightsVariants } from './variants/products/rights.ts'
import { stagingVariants } from './variants/products/staging.ts'
import { productTimeVariants } from './variants/products/times.ts'
import { uidVariants } from './variants/products/uids.ts'
import { productValueVariants } from './variants/products/values.ts'
import { productWireVariants } from './variants/products/wire.ts'
import { publishedVariants } from './variants/published.ts'
import { registryVariants } from './variants/registry.ts'
import { roleVariants } from './variants/roles.ts'
import { runAnswersVariants } from './variants/run/answers.ts'
import { runGatewayVariants } from './variants/run/gateways.ts'
import { runMemberVariants } from './variants/run/members.ts'
import { runRequestsVariants } from './variants/run/requests.ts'
import { runWireVariants } from './variants/run/wire.ts'
import { strangerVariants } from './variants/strangers.ts'
import { stsVariants } from './variants/sts.ts'
import { stsTokenVariants } from './variants/sts-tokens.ts'
import { timeVariants } from './variants/time.ts'
import { updateVariants } from './variants/updates.ts'
import { v1Variants } from './variants/v1.ts'

/** Every lawful variant. */
export const variants: readonly Variant[] = [
  ...bindingVariants,
  ...deleteVariants,
  ...errorVariants,
  ...groupVariants,
  ...groupContentVariants,
  ...identityVariants,
  ...listFilterVariants,
  ...listOrderVariants,
  ...listPageSizeVariants,
  ...listPageTokenVariants,
  ...listScopeVariants,
  ...listShapeVariants,
  ...listSkipVariants,
  ...listWalkVariants,
  ...publishedVariants,
  ...registryVariants,
  ...roleVariants,
  ...runAnswersVariants,
  ...runRequestsVariants,
  ...runWireVariants,
  ...stsVariants,
  ...timeVariants,
  ...updateVariants,
  ...v1Variants,
  ...grpcAnswerVariants,
  ...grpcNameVariants,
  ...grpcGatewayVariants,
  ...grpcMessageVariants,
  ...jobVariants,
  ...limitVariants,
  ...listCopyVariants,
  ...listLagVariants,
  ...runGatewayVariants,
  ...runMemberVariants,
  ...strangerVariants,
  ...stsTokenVariants,
  ...cacheVariants,
  ...databaseVariants,
  ...contentionVariants,
  ...productErrorVariants,
  ...kindVariants,
  ...productNameVariants,
  ...productReaderVariants,
  ...productValueVariants,
  ...productWireVariants,
  ...providerVariants,
  ...rightsVariants,
  ...stagingVariants,
  ...deploymentVariants,
  ...uidVariants,
  ...besideVariants,
  ...productTimeVariants,
]

/** The variant with this name; throws if there is none, and suggests the nearest. */
export const variantNamed = (name: string): Variant => named('variant', variants, name)
