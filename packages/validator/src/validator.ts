import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { ContractError } from './contract-error.ts'
import { type Cursor, keywordOf, rootOf } from './cursor.ts'
import type { Finding } from './finding.ts'
import type { DeliveryMessage, RequestMessage, ResponseMessage } from './messages.ts'
import { type Operation, type Plan, plansOf } from './operation.ts'
import { checkRequest } from './request.ts'
import { checkResponse } from './response.ts'
import { createRoutes, type FindOperation, type NotFound } from './routes.ts'
import { type Check, createChecks } from './schema.ts'

/**
 * Validates the messages of one contract. No method throws for what a message holds.
 *
 * @example
 * const validator: Validator = createValidator()
 * console.log(validator.operations.length) // 20
 */
export interface Validator {
  /** The operations of `paths`, in the order of the document. */
  readonly operations: readonly Operation[]
  /** The operations of `webhooks`, in the order of the document. */
  readonly deliveries: readonly Operation[]
  /**
   * The operation of a method and a path, or which status says that there is none. Slashes count; a segment that is
   * concrete goes before one that is templated; a path that cannot be decoded is the path of nothing.
   */
  readonly findOperation: FindOperation
  /** What is wrong with a request: its method and path, its parameters, then its body. */
  validateRequest(request: RequestMessage, options?: ValidateOptions): Finding[]
  /**
   * What is wrong with an answer: its status, its headers, then its body.
   *
   * @throws TypeError where the operation is not one of this validator.
   */
  validateResponse(operation: Operation, response: ResponseMessage, options?: ValidateOptions): Finding[]
  /** What is wrong with a delivery of a webhook: its name, its parameters, then its body. */
  validateDelivery(delivery: DeliveryMessage, options?: ValidateOptions): Finding[]
  /**
   * Compiles every schema now; otherwise each is compiled when it is first needed.
   *
   * @throws ContractError where a schema is none.
   */
  compile(): void
}

/**
 * What a validator can be told.
 *
 * @example
 * const options: ValidatorOptions = { maxFindings: 10 }
 */
export interface ValidatorOptions {
  /** Findings of one message at most. Default: 100. */
  readonly maxFindings?: number
}

/**
 * What can be asked of one message.
 *
 * @example
 * const options: ValidateOptions = { unknown: true }
 */
export interface ValidateOptions {
  /**
   * Whether members of the body and of the query that the contract does not mention are told too, with the keyword
   * `unknown`. Default: false, since additions are compatible.
   */
  readonly unknown?: boolean
}

/**
 * A validator of an OpenAPI 3.1 document in one file, by default of the partner payments contract. The document
 * must not be changed afterwards.
 *
 * @throws ContractError where the document is of another version, or has a reference that leads nowhere or a pattern
 * that is none.
 *
 * @example
 * const validator = createValidator()
 * const headers = { 'content-type': 'application/json' }
 * const [finding] = validator.validateRequest({
 *   method: 'POST',
 *   path: '/mobile-bff/v1/pix/dict/check/',
 *   headers,
 *   body: { dict_key: 7 },
 * })
 * console.log(finding?.pointer, finding?.message) // /dict_key expected text, got a whole number
 */
export function createValidator(document: object = contract, options: ValidatorOptions = {}): Validator {
  const { root, checks, compile } = open(document)
  const paths = plansOf(root, 'paths', checks)
  const webhooks = plansOf(root, 'webhooks', checks)
  const plans = new Map([...paths, ...webhooks].map((plan) => [plan.operation, plan]))
  const operations = paths.map(({ operation }) => operation)
  const findOperation = createRoutes(operations)
  const { maxFindings: limit = 100 } = options
  return {
    operations,
    deliveries: webhooks.map(({ operation }) => operation),
    findOperation,
    validateRequest: ({ method, path, ...message }, { unknown = false } = {}) => {
      const found = findOperation(method, path)
      if (!found.found) return [noOperation(found, path, findOperation)]
      const plan = planOf(plans, found.operation)
      return checkRequest(plan, { ...message, path: found.parameters }, { unknown, limit }).slice(0, limit)
    },
    validateResponse: (operation, message, { unknown = false } = {}) =>
      checkResponse(planOf(plans, operation), message, { unknown, limit }).slice(0, limit),
    validateDelivery: ({ name, method = 'POST', ...message }, { unknown = false } = {}) => {
      const plan = webhooks.find(({ operation: it }) => it.path === name && it.method === method)
      if (!plan) return [noDelivery(webhooks)]
      return checkRequest(plan, { ...message, path: {} }, { unknown, limit }).slice(0, limit)
    },
    compile,
  }
}

/** The first place of a document, and what makes checks of its schemas. */
function open(document: object) {
  const root = rootOf(document)
  const version = String(keywordOf(root, 'openapi'))
  if (!/^3\.[12]\./.test(version)) throw new ContractError('/openapi', `must be 3.1 or 3.2, got ${version}`)
  const made: Check[] = []
  const make = createChecks(root)
  const compile = () => {
    for (const check of made) check.compile()
  }
  const checks = (schema: Cursor) => {
    const check = make(schema)
    made.push(check)
    return check
  }
  return { root, checks, compile }
}

function planOf(plans: ReadonlyMap<Operation, Plan>, operation: Operation): Plan {
  const plan = plans.get(operation)
  if (!plan) throw new TypeError('operation must be one of the operations or deliveries of this validator')
  return plan
}

function noOperation(missing: NotFound, path: string, find: FindOperation): Finding {
  const [allowed] = missing.allow
  const other = allowed === undefined ? undefined : find(allowed, path)
  if (!other?.found) {
    const message = 'expected a path of the contract, got another'
    return { place: 'path', pointer: '', contract: '/paths', keyword: 'paths', message }
  }
  const contract = other.operation.pointer.slice(0, other.operation.pointer.lastIndexOf('/'))
  const message = `expected ${missing.allow.join(' or ')}, got another method`
  return { place: 'method', pointer: '', contract, keyword: 'method', message }
}

function noDelivery(webhooks: readonly Plan[]): Finding {
  const names = webhooks.map(({ operation }) => `${operation.method} ${operation.path}`).join(' or ')
  const message = `expected ${names}, got another webhook`
  return { place: 'path', pointer: '', contract: '/webhooks', keyword: 'webhooks', message }
}
