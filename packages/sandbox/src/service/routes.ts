import { deprecationHeaders, type Operation as Row, readContract } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import {
  createValidator,
  type NotFound,
  type Operation,
  type Validator,
} from '@partner-payments/validator'
import type { OperationId } from '../contract.ts'
import { Refusal } from '../problems.ts'

/** An operation, with what request validation needs. */
export interface Route {
  readonly id: OperationId
  /** Whether it is a short path of the guide. */
  readonly isAlias: boolean
  readonly operation: Operation
  readonly validator: Validator
  /** The status of a success. */
  readonly status: number
  readonly takesBody: boolean
  /** Whether impersonated tokens are refused. */
  readonly isForPartnersOnly: boolean
  /** Headers of each response, if the operation is deprecated. */
  readonly deprecation: Readonly<Record<string, string>>
}

export interface Match {
  readonly route: Route
  readonly path: Readonly<Record<string, string>>
}

/** Finds the route of a method and a path, in the contract or the guide. */
export type Router = (method: string, path: string) => Match

/**
 * Creates the router: a function that returns the operation for a method and a path, with the
 * values of the path parameters, and throws the refusal if there is none.
 *
 * @param document another contract; default: the contract and the guide of this version
 * @param declared what spec/behaviour declares; default: that of this version
 * @throws {ContractError} if the contract cannot be read
 */
export function createRouter(document?: object, declared?: Behaviour): Router {
  const isReplaced = document !== undefined || declared !== undefined
  const tables = isReplaced
    ? createTables(document ?? contract, declared ?? BEHAVIOUR)
    : SHARED_TABLES
  return (method, path) => {
    // A HEAD is handled like a GET (RFC 9110, section 9.3.2).
    const declaredMethod = method === 'HEAD' ? 'GET' : method
    const misses: NotFound[] = []
    for (const { validator, routes } of tables) {
      const result = validator.findOperation(declaredMethod, path)
      if (!result.found) {
        misses.push(result)
        continue
      }
      const route = routes.get(result.operation)
      if (route) return { route, path: result.parameters }
    }
    throw createRouteRefusal(method, path, misses)
  }
}

/**
 * The refusal of a path (404), or only of its method (405), with what it may have meant.
 *
 * @param misses what each document says about the path: the methods that it has, and whether there
 *   is one with or without the last slash
 */
function createRouteRefusal(method: string, path: string, misses: readonly NotFound[]): Refusal {
  const suggestion = suggestPath(method, path, misses)
  const declaredMethods = misses.flatMap(({ allow }) => allow)
  const pathExists = declaredMethods.length > 0
  if (!pathExists) return new Refusal('not_found', { detail: suggestion ?? NO_PATH })

  // A HEAD is handled like a GET.
  const allowed = declaredMethods.includes('GET') ? [...declaredMethods, 'HEAD'] : declaredMethods
  const headers = { allow: allowed.join(', ') }
  if (suggestion === undefined) return new Refusal('method_not_allowed', { headers })
  return new Refusal('method_not_allowed', { headers, detail: suggestion })
}

const NO_PATH = 'No operation at this path. Check its prefix and its slashes.'

/** Suggests the path with or without a slash at its end; undefined if that has no operation. */
function suggestPath(
  method: string,
  path: string,
  misses: readonly NotFound[],
): string | undefined {
  const [similar] = misses.flatMap(({ otherSlash }) => otherSlash ?? [])
  if (!similar) return undefined

  const shortPath = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return `No operation at ${method} ${shortPath}. Trailing slashes matter: did you mean ${similar.path}?`
}

/** A body of 64 KB cannot have more fields. */
const MAX_FINDINGS = 16_384

/** The routes of the contract, and of the guide. Each schema is compiled on first use. */
function createTables(document: object, declared: Behaviour) {
  return [document, guide].map((source) => createTable(source, declared))
}

/** The operations of one document: its validator, and the route of each operation. */
function createTable(document: object, declared: Behaviour) {
  const validator = createValidator(document, { maxFindings: MAX_FINDINGS })
  const { operations } = readContract({ document, behaviour: declared })
  const rows = new Map(operations.map((row) => [row.pointer, row]))
  const routes = new Map<Operation, Route>()
  for (const operation of validator.operations) {
    const row = rows.get(operation.pointer)
    if (row) routes.set(operation, createRoute(row, operation, validator))
  }
  return { validator, routes }
}

/** What the service needs to know about an operation, from its row in the table of the contract. */
function createRoute(row: Row, operation: Operation, validator: Validator): Route {
  const { id, aliasOf, status, request, scheme, tokens, deprecation } = row
  return {
    // Every operationId of the contract is an OperationId. While it is edited, one may have no
    // handler yet.
    id: (aliasOf ?? id) as OperationId,
    isAlias: aliasOf !== undefined,
    operation,
    validator,
    status,
    takesBody: request !== undefined,
    isForPartnersOnly: scheme === 'bearer' && !tokens.includes('customer'),
    deprecation: deprecationHeaders(deprecation),
  }
}

const BEHAVIOUR = behaviour as Behaviour
// Of the contract of this version. Created once, for all sandboxes of the process.
const SHARED_TABLES = createTables(contract, BEHAVIOUR)
