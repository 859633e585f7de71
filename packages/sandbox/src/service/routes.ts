import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { valueAt } from '@partner-payments/text'
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
  /**
   * Whether impersonated tokens are refused, which applies to operations with a 403 in the
   * contract.
   */
  readonly isPartners: boolean
}

export interface Match {
  readonly route: Route
  readonly path: Readonly<Record<string, string>>
}

/** Finds the route of a method and a path, in the contract or the guide. */
export type Router = (method: string, path: string) => Match

/**
 * Creates the router for a contract and the guide.
 *
 * @throws {ContractError} if the contract cannot be read
 */
export function createRouter(document?: object): Router {
  const both = [document ? tableOf(document) : CONTRACT, GUIDE]
  return (method, path) => {
    const missing: NotFound[] = []
    for (const { validator, routes } of both) {
      const found = validator.findOperation(method === 'HEAD' ? 'GET' : method, path)
      const route = found.found && routes.get(found.operation)
      if (route) return { route, path: found.parameters }
      if (!found.found) missing.push(found)
    }
    throw noRoute(method, path, missing)
  }
}

function noRoute(method: string, path: string, missing: readonly NotFound[]): Refusal {
  const allow = missing.flatMap(({ allow }) => allow)
  const other = missing.find(({ otherSlash }) => otherSlash)?.otherSlash
  const detail = other && otherSlash(method, path, other.path)
  if (allow.length === 0) return new Refusal('not_found', { detail: detail ?? NO_PATH })
  if (allow.includes('GET')) allow.push('HEAD')
  return new Refusal('method_not_allowed', {
    headers: { allow: allow.join(', ') },
    ...(detail && { detail }),
  })
}

const NO_PATH = 'No operation at this path. Check its prefix and its slashes.'

function otherSlash(method: string, path: string, other: string): string {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return `No operation at ${method} ${shown}. Trailing slashes matter: did you mean ${other}?`
}

/** A body of 64 KB cannot have more fields. */
const MAX_FINDINGS = 16_384

/** The routes of a document. Each schema is compiled on first use. */
function tableOf(document: object) {
  const validator = createValidator(document, { maxFindings: MAX_FINDINGS })
  const routes = new Map(validator.operations.map((it) => [it, routeOf(document, validator, it)]))
  return { validator, routes }
}

interface Declared {
  readonly 'x-alias-of'?: string
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

function routeOf(document: object, validator: Validator, operation: Operation): Route {
  const {
    'x-alias-of': alias,
    requestBody,
    responses,
  } = valueAt(document, operation.pointer) as Declared
  const statuses = Object.keys(responses)
  return {
    // Every operationId of the contract is an OperationId.
    id: (alias ?? operation.id) as OperationId,
    isAlias: alias !== undefined,
    operation,
    validator,
    status: Number(statuses.find((status) => status.startsWith('2'))),
    takesBody: requestBody !== undefined,
    isPartners: statuses.includes('403'),
  }
}

// Created once per process.
const CONTRACT = tableOf(contract)
const GUIDE = tableOf(guide)
