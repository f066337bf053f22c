import { named } from './did-you-mean.ts'
import type { Variant } from './fault.ts'
import { bindingsVariants } from './variants/bindings.ts'
import { deletesVariants } from './variants/deletes.ts'
import { errorsVariants } from './variants/errors.ts'
import { groupsVariants } from './variants/groups.ts'
import { identitiesVariants } from './variants/identities.ts'
import { listFilterVariants } from './variants/lists/filter.ts'
import { listOrderVariants } from './variants/lists/order.ts'
import { listPageSizeVariants } from './variants/lists/page-size.ts'
import { listPageTokenVariants } from './variants/lists/page-token.ts'
import { listScopeVariants } from './variants/lists/scope.ts'
import { listShapeVariants } from './variants/lists/shape.ts'
import { listSkipVariants } from './variants/lists/skip.ts'
import { listWalkVariants } from './variants/lists/walk.ts'
import { publishedVariants } from './variants/published.ts'
import { registryVariants } from './variants/registry.ts'
import { rolesVariants } from './variants/roles.ts'
import { runAnswersVariants } from './variants/run/answers.ts'
import { runRequestsVariants } from './variants/run/requests.ts'
import { runWireVariants } from './variants/run/wire.ts'
import { stsVariants } from './variants/sts.ts'
import { timeVariants } from './variants/time.ts'
import { updatesVariants } from './variants/updates.ts'
import { v1Variants } from './variants/v1.ts'

/** Every lawful variant. */
export const variants: readonly Variant[] = [
  ...bindingsVariants,
  ...deletesVariants,
  ...errorsVariants,
  ...groupsVariants,
  ...identitiesVariants,
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
  ...rolesVariants,
  ...runAnswersVariants,
  ...runRequestsVariants,
  ...runWireVariants,
  ...stsVariants,
  ...timeVariants,
  ...updatesVariants,
  ...v1Variants,
]

/** The variant with this name; throws where there is none, and suggests the nearest. */
export const variantNamed = (name: string): Variant => named('variant', variants, name)
