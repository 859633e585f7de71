import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { checkValue } from './content.ts'
import { ContractError } from './contract-error.ts'
import { faultsOf } from './contract-errors.ts'
import { type Cursor, keywordOf, rootOf } from './cursor.ts'
import type { Direction } from './direction.ts'
import type { Finding } from './finding.ts'
import type { DeliveryMessage, RequestMessage, ResponseMessage } from './messages.ts'
import { checksOf, type Operation, operationsOf, type Plan, type Planned } from './operation.ts'
import { carrying, checkParameters, parameterAt } from './parameters.ts'
import { withPlainReferences } from './plain.ts'
import { placeAt } from './reference.ts'
import { checkRequest } from './request.ts'
import { resourcesOf } from './resources.ts'
import { checkResponse } from './response.ts'
import { createRoutes, type FindOperation, type NotFound } from './routes.ts'
import { createChecks, type SchemaContext } from './schema.ts'
import { usable } from './usable.ts'

/**
 * Validates the messages of one contract. No method throws because of the content of a message.
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
   * Finds the operation of a method and a path, or the status if there is none. Slashes are significant, concrete segments
   * take precedence over templated ones, and a path with an invalid encoding matches nothing.
   */
  readonly findOperation: FindOperation
  /** Validates a request: its method and path, its parameters, then its body. */
  validateRequest(request: RequestMessage, options?: ValidateOptions): Finding[]
  /**
   * Validates a response: its status, its headers, then its body.
   *
   * @throws TypeError if the operation is not one of this validator.
   */
  validateResponse(operation: Operation, response: ResponseMessage, options?: ValidateOptions): Finding[]
  /** Validates a webhook delivery: its name, its parameters, then its body. */
  validateDelivery(delivery: DeliveryMessage, options?: ValidateOptions): Finding[]
  /**
   * Validates a value by any schema of the document. The findings have the place `body`.
   *
   * @throws TypeError if the pointer cannot be resolved.
   */
  validateValue(pointer: string, value: unknown, options?: ValueOptions): Finding[]
  /**
   * Validates the unencoded text of one parameter; pass undefined for an absent one. Objects that consist of several
   * query parameters are not supported.
   *
   * @throws TypeError if the pointer does not refer to a parameter.
   */
  validateParameter(pointer: string, text: string | undefined): Finding[]
  /**
   * The document as the validator uses it: without invalid parts, at the same locations, with each `$ref` written as a JSON
   * pointer, and each `$dynamicRef` that has a single possible target. It has no `$id`, so do not create a validator from
   * it if another `$dynamicRef` is left.
   */
  readonly document: object
  /** Compiles the schemas of all operations now replacement of on first use. */
  compile(): void
}

/**
 * Options of a validator.
 *
 * @example
 * const options: ValidatorOptions = { maxFindings: 10, onContractError: (error) => console.warn(error.message) }
 */
export interface ValidatorOptions {
  /** Maximum number of findings per message. Default: 100. */
  readonly maxFindings?: number
  /**
   * Receives all errors of the document, in its order. An invalid schema then accepts everything; all others are used.
   * Default: the first error is thrown.
   */
  readonly onContractError?: (error: ContractError) => void
}

/**
 * Options for the validation of a message.
 *
 * @example
 * const options: ValidateOptions = { unknown: true }
 */
export interface ValidateOptions {
  /**
   * Also reports undeclared properties of the body and the query, with the keyword `unknown`. Default: false, since
   * additions are compatible.
   */
  readonly unknown?: boolean
}

/**
 * Options for the validation of a value.
 *
 * @example
 * const options: ValueOptions = { direction: 'to-service' }
 */
export interface ValueOptions extends ValidateOptions {
  /** The sender of the value, which determines whether `readOnly` or `writeOnly` properties are required. Default: all are. */
  readonly direction?: Direction
  /**
   * The media type of the value as a body; the text of a form is parsed. The pointer must refer to the schema of a Media
   * Type Object. Default: JSON.
   */
  readonly contentType?: string
}

/**
 * Creates a validator of a bundled OpenAPI 3.1 document, by default the partner payments contract. Do not change the
 * document afterwards. Schemas are compiled on first use.
 *
 * @throws ContractError if the OpenAPI version is not supported; and, unless `onContractError` is set, if a keyword has an
 * invalid value or a reference cannot be resolved.
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
 * console.log(finding?.pointer, finding?.message) // /dict_key expected string, got integer
 */
export function createValidator(document: object = contract, options: ValidatorOptions = {}): Validator {
  const { maxFindings: limit = 100, onContractError } = options
  const original = rootOf(document)
  const root = open(original, onContractError)
  const sides = sidesOf(root, onContractError)
  const { 'to-service': toService, 'from-service': fromService } = sides
  const paths = operationsOf(root, 'paths', { request: toService, response: fromService })
  const webhooks = operationsOf(root, 'webhooks', { request: fromService, response: toService })
  const plans = new Map([...paths, ...webhooks].map(({ operation, plan }) => [operation, plan]))
  const operations = paths.map(({ operation }) => operation)
  const findOperation = createRoutes(operations)
  let plain: object | undefined
  return {
    operations,
    get document() {
      plain ??= withPlainReferences(root)
      return plain
    },
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
      const delivery = webhooks.find(({ operation: it }) => it.path === name && it.method === method)
      if (!delivery) return [noDelivery(webhooks)]
      return checkRequest(delivery.plan(), { ...message, path: {} }, { unknown, limit }).slice(0, limit)
    },
    validateValue: (pointer, value, { unknown = false, direction, contentType: type } = {}) => {
      const schema = placeIn(root, original, pointer)
      const media = type === undefined ? undefined : placeAt(root, pointer.slice(0, pointer.lastIndexOf('/')))
      const body = media && type !== undefined ? { at: media, type } : undefined
      return schema
        ? checkValue(sides[direction ?? 'neither'], schema, value, { unknown, limit, body }).slice(0, limit)
        : []
    },
    validateParameter: (pointer, text) => {
      const at = placeIn(root, original, pointer)
      if (at && typeof keywordOf(at, 'in') !== 'string')
        throw new TypeError(`"${pointer}" must be a parameter`)
      const parameter = at && parameterAt(toService, at)
      return parameter ? checkParameters([parameter], carrying(parameter, text)).slice(0, limit) : []
    },
    compile: () => {
      for (const plan of plans.values()) for (const check of checksOf(plan())) check.compile()
    },
  }
}

/** The root cursor of a document, or of its usable parts. */
function open(root: Cursor, onContractError: ValidatorOptions['onContractError']): Cursor {
  const version = String(keywordOf(root, 'openapi'))
  if (!/^3\.[12]\./.test(version))
    throw new ContractError('/openapi', 'openapi', `must be 3.1 or 3.2, got ${version}`)
  const errors = faultsOf(root)
  const [first] = errors
  if (!first) return root
  if (!onContractError) throw first.error
  for (const { error } of errors) onContractError(error)
  return rootOf(usable(root, errors))
}

/** The cursor of a pointer; undefined if only the unusable parts contain it. */
function placeIn(root: Cursor, original: Cursor, pointer: string): Cursor | undefined {
  const found = placeAt(root, pointer)
  if (!found && !placeAt(original, pointer))
    throw new TypeError(`"${pointer}" must be a location in the document`)
  return found
}

/** Shares the checks of both directions if no schema distinguishes them. */
function sidesOf(root: Cursor, onContractError: ValidatorOptions['onContractError']) {
  const context = (direction?: Direction): SchemaContext => {
    return { root, checks: createChecks(root, { direction, onContractError }) }
  }
  const neither = context()
  const { has } = resourcesOf(root)
  return {
    neither,
    'to-service': has('readOnly') ? context('to-service') : neither,
    'from-service': has('writeOnly') ? context('from-service') : neither,
  }
}

function planOf(plans: ReadonlyMap<Operation, () => Plan>, operation: Operation): Plan {
  const plan = plans.get(operation)
  if (!plan) throw new TypeError('operation must be one of the operations or deliveries of this validator')
  return plan()
}

function noOperation(missing: NotFound, path: string, find: FindOperation): Finding {
  const [allowed] = missing.allow
  const other = allowed === undefined ? undefined : find(allowed, path)
  if (!other?.found) {
    const message = 'expected a path of the contract, got an undeclared path'
    return { place: 'path', pointer: '', contract: '/paths', keyword: 'paths', message }
  }
  const contract = other.operation.pointer.slice(0, other.operation.pointer.lastIndexOf('/'))
  const message = `expected ${missing.allow.join(' or ')}, got another method`
  return { place: 'method', pointer: '', contract, keyword: 'method', message }
}

function noDelivery(webhooks: readonly Planned[]): Finding {
  const names = webhooks.map(({ operation }) => `${operation.method} ${operation.path}`).join(' or ')
  const message = `expected ${names}, got another webhook`
  return { place: 'path', pointer: '', contract: '/webhooks', keyword: 'webhooks', message }
}
