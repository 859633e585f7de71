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
import { createChecks, type Making } from './schema.ts'
import { usable } from './usable.ts'

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
   * What is wrong with a value by one schema of the document, wherever the schema is. The findings are about a `body`.
   *
   * @throws TypeError where the pointer leads nowhere.
   */
  validateValue(pointer: string, value: unknown, options?: ValueOptions): Finding[]
  /**
   * What is wrong with the text of one parameter, not encoded; undefined where it is left out. An object that is written
   * in several parts is not read.
   *
   * @throws TypeError where the pointer leads to no parameter.
   */
  validateParameter(pointer: string, text: string | undefined): Finding[]
  /**
   * The document as it is read here, for those who read it too: without what cannot be used, at the same places, and with
   * each `$ref` written as a JSON pointer, as is a `$dynamicRef` that can mean but one schema. It has no `$id`, so no
   * validator can be made of one with another `$dynamicRef`.
   */
  readonly document: object
  /** Compiles the schemas of every operation now; otherwise each is compiled when it is first needed. */
  compile(): void
}

/**
 * What a validator can be given.
 *
 * @example
 * const options: ValidatorOptions = { maxFindings: 10, onContractError: (error) => console.warn(error.message) }
 */
export interface ValidatorOptions {
  /** Findings of one message at most. Default: 100. */
  readonly maxFindings?: number
  /**
   * Receives everything that is wrong with the document, in its order. Then a schema that cannot be used admits
   * everything and all others are used. Default: the first error is thrown.
   */
  readonly onContractError?: (error: ContractError) => void
}

/**
 * What can be asked of one message.
 *
 * @example
 * const options: ValidateOptions = { unknown: true }
 */
export interface ValidateOptions {
  /**
   * Whether properties of the body and of the query that the contract does not mention are reported too, with the
   * keyword `unknown`. Default: false, since additions are compatible.
   */
  readonly unknown?: boolean
}

/**
 * What can be asked of one value.
 *
 * @example
 * const options: ValueOptions = { direction: 'to-service' }
 */
export interface ValueOptions extends ValidateOptions {
  /** Who sends the value, which decides whether `readOnly` or `writeOnly` properties are required. Default: all are. */
  readonly direction?: Direction
  /**
   * The media type of which the value is a body: of a form its text, which is read. The pointer leads to the schema of a
   * Media Type Object. Default: the value is what JSON says.
   */
  readonly contentType?: string
}

/**
 * A validator of an OpenAPI 3.1 document in one file, by default of the partner payments contract. The document
 * must not be changed afterwards. Its schemas are read once and compiled when they are first needed.
 *
 * @throws ContractError where the document is of another version; and, unless `onContractError` is set, where a keyword
 * has a value that it cannot have, or a reference leads nowhere.
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

/** The first place of a document, or of what of it can be used. */
function open(root: Cursor, onContractError: ValidatorOptions['onContractError']): Cursor {
  const version = String(keywordOf(root, 'openapi'))
  if (!/^3\.[12]\./.test(version))
    throw new ContractError('/openapi', 'openapi', `must be 3.1 or 3.2, got ${version}`)
  const faults = faultsOf(root)
  const [first] = faults
  if (!first) return root
  if (!onContractError) throw first.error
  for (const { error } of faults) onContractError(error)
  return rootOf(usable(root, faults))
}

/** The place of a pointer; undefined where only what cannot be used has it. */
function placeIn(root: Cursor, original: Cursor, pointer: string): Cursor | undefined {
  const found = placeAt(root, pointer)
  if (!found && !placeAt(original, pointer))
    throw new TypeError(`"${pointer}" must be a place of the document`)
  return found
}

/** The same checks for both directions where no schema tells them apart. */
function sidesOf(root: Cursor, onContractError: ValidatorOptions['onContractError']) {
  const making = (direction?: Direction): Making => {
    return { root, checks: createChecks(root, { direction, onContractError }) }
  }
  const neither = making()
  const { has } = resourcesOf(root)
  return {
    neither,
    'to-service': has('readOnly') ? making('to-service') : neither,
    'from-service': has('writeOnly') ? making('from-service') : neither,
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
    const message = 'expected a path of the contract, got another'
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
