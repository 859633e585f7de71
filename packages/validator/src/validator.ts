import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { checkRequest, checkResponse } from './check.ts'
import { createRoot } from './cursor.ts'
import { requireImplemented } from './document.ts'
import type { Finding } from './finding.ts'
import type { DeliveryMessage, RequestMessage, ResponseMessage } from './messages.ts'
import {
  type CompiledOperation,
  type LazyOperation,
  listOperations,
  type Operation,
} from './operation.ts'
import { createRoutes, type FindOperation, type NotFound } from './routes.ts'
import { createChecks } from './schema.ts'

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
   * Finds the operation of a method and a path, or the status if there is none. Slashes are
   * significant, concrete segments take precedence over templated ones, and a path with an invalid
   * encoding matches nothing.
   */
  readonly findOperation: FindOperation
  /** Validates a request: its method and path, its parameters, then its body. */
  validateRequest(request: RequestMessage, options?: ValidateOptions): Finding[]
  /**
   * Validates a response: its status, its headers, then its body.
   *
   * @throws TypeError if the operation is not one of this validator.
   */
  validateResponse(
    operation: Operation,
    response: ResponseMessage,
    options?: ValidateOptions,
  ): Finding[]
  /** Validates a webhook delivery: its name, its parameters, then its body. */
  validateDelivery(delivery: DeliveryMessage, options?: ValidateOptions): Finding[]
  /** The document that it uses. */
  readonly document: object
}

/**
 * Options of a validator.
 *
 * @example
 * const options: ValidatorOptions = { maxFindings: 10 }
 */
export interface ValidatorOptions {
  /** Maximum number of findings per message. Default: 100. */
  readonly maxFindings?: number
}

/**
 * Options for the validation of a message.
 *
 * @example
 * const options: ValidateOptions = { unknown: true }
 */
export interface ValidateOptions {
  /**
   * Also reports undeclared properties of the body and the query, with the keyword `unknown`.
   * Default: false, since additions are compatible.
   */
  readonly unknown?: boolean
}

/**
 * Creates a validator of the partner payments contract, or of a changed copy of its bundle. Do not
 * change the document afterwards. Schemas are compiled on first use.
 *
 * @throws ContractError if the document is not OpenAPI 3.1, or uses a keyword, format, style or
 *   media type that the validator does not implement, or if a keyword has an invalid value or a
 *   reference cannot be resolved.
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
export function createValidator(
  document: object = contract,
  options: ValidatorOptions = {},
): Validator {
  const { maxFindings: limit = 100 } = options
  const isChanged = document !== contract
  // Lint does this for the contract itself.
  if (isChanged) requireImplemented(document)

  const root = createRoot(document)
  const context = { root, checks: createChecks(root) }
  const paths = listOperations(context, 'paths')
  const webhooks = listOperations(context, 'webhooks')
  const compilers = new Map(
    [...paths, ...webhooks].map(({ operation, compile }) => [operation, compile]),
  )
  if (isChanged) {
    // That follows all references, so that one that leads nowhere is an error now.
    for (const compile of compilers.values()) compile()
  }

  const operations = paths.map(({ operation }) => operation)
  const findOperation = createRoutes(operations)

  /**
   * The findings of a request. Its operation is found by method and path; without one, that is the
   * only finding.
   */
  function validateRequest(
    { method, path, ...message }: RequestMessage,
    { unknown = false }: ValidateOptions = {},
  ): Finding[] {
    const target = findOperation(method, path)
    if (!target.found) return [operationNotFound(target, path, findOperation)]

    const request = { ...message, path: target.parameters }
    const findings = checkRequest(requireCompiled(target.operation), request, { unknown, limit })
    return findings.slice(0, limit)
  }

  /** The findings of a response of an operation. */
  function validateResponse(
    operation: Operation,
    message: ResponseMessage,
    { unknown = false }: ValidateOptions = {},
  ): Finding[] {
    const findings = checkResponse(requireCompiled(operation), message, { unknown, limit })
    return findings.slice(0, limit)
  }

  /** The findings of a delivery, by the webhook with its name. Deliveries are sent by POST. */
  function validateDelivery(
    { name, ...message }: DeliveryMessage,
    { unknown = false }: ValidateOptions = {},
  ): Finding[] {
    const delivery = webhooks.find(({ operation }) => {
      return operation.path === name && operation.method === 'POST'
    })
    if (!delivery) return [deliveryNotFound(webhooks)]

    const request = { ...message, path: {} }
    const findings = checkRequest(delivery.compile(), request, { unknown, limit })
    return findings.slice(0, limit)
  }

  /** The compiled form of an operation. Throws a TypeError for an operation of another validator. */
  function requireCompiled(operation: Operation): CompiledOperation {
    const compile = compilers.get(operation)
    if (!compile)
      throw new TypeError('operation must be one of the operations or deliveries of this validator')
    return compile()
  }

  return {
    operations,
    document,
    deliveries: webhooks.map(({ operation }) => operation),
    findOperation,
    validateRequest,
    validateResponse,
    validateDelivery,
  }
}

/**
 * The finding of a request whose path, or whose method at this path, is not declared. The second
 * one cites the path in the contract, as the part of its operations' pointers before the method.
 */
function operationNotFound(missing: NotFound, path: string, find: FindOperation): Finding {
  const [allowedMethod] = missing.allow
  if (allowedMethod === undefined) return undeclaredPath()

  const sibling = find(allowedMethod, path)
  // It is found, since `allow` has the methods of this path. The type does not say so.
  if (!sibling.found) return undeclaredPath()

  // Such as `/paths/~1pix~1out~1/post`.
  const { pointer } = sibling.operation
  const pointerOfPath = pointer.slice(0, pointer.lastIndexOf('/'))
  return {
    place: 'method',
    pointer: '',
    contract: pointerOfPath,
    keyword: 'method',
    message: `expected ${missing.allow.join(' or ')}, got another method`,
  }
}

function undeclaredPath(): Finding {
  return {
    place: 'path',
    pointer: '',
    contract: '/paths',
    keyword: 'paths',
    message: 'expected a path of the contract, got an undeclared path',
  }
}

/** The finding of a delivery whose name is that of no webhook. */
function deliveryNotFound(webhooks: readonly LazyOperation[]): Finding {
  const names = webhooks.map(({ operation }) => `${operation.method} ${operation.path}`)
  return {
    place: 'path',
    pointer: '',
    contract: '/webhooks',
    keyword: 'webhooks',
    message: `expected ${names.join(' or ')}, got another webhook`,
  }
}
